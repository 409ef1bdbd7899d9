// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/deck/output/checkpoint.h"
#include "plugin/deck/output/checkpoint_format.h"

namespace strut
{
/// Contents of a checkpoint file except its fields.
struct CheckpointHead
{
  checkpoint_format::MeshFingerprint mesh;
  CheckpointState state; ///< without fields

  std::array<std::uint64_t, checkpoint_format::n_kinds> n_fields{}; ///< number of each kind
  std::vector<std::uint64_t> sums; ///< checkpoint_format::sum_of() of each field

  /// Ends of the ranges of multiples in ascending order; each rank that wrote them has a range. The
  /// unit of a range is `units[field * n_ranges + range]`. Empty without multiples.
  std::vector<std::uint64_t> ends_of_ranges;
  std::vector<double> units;

  std::uint64_t n_all_fields() const
  {
    std::uint64_t n = 0;
    for (const std::uint64_t of_kind : n_fields)
      n += of_kind;
    return n;
  }
  /// Number of fields of multiples.
  std::uint64_t n_packed() const
  {
    return n_fields[checkpoint_format::packed_vectors] +
           n_fields[checkpoint_format::displacements_before];
  }
  /// Numbers in a field of a kind.
  std::uint64_t size_of(const std::size_t kind) const
  {
    return checkpoint_format::size_of(kind, mesh.n_elements, mesh.n_nodes);
  }
  /// Position where the fields end, and the small parts begin.
  std::uint64_t end_of_fields() const
  {
    std::uint64_t end = checkpoint_format::header_size;
    for (std::size_t kind = 0; kind < n_fields.size(); ++kind)
      end += n_fields[kind] * size_of(kind) * checkpoint_format::bytes_of(kind);
    return end;
  }
};

/// The bytes before and after the fields.
struct CheckpointEnds
{
  std::string header, trailer;
};
CheckpointEnds to_bytes(const CheckpointHead &head);

/// Decodes the small parts from the bytes between the fields and the checksum. small_parts_of()
/// encodes them for other ranks.
CheckpointHead head_from_bytes(const std::string &file_name, std::string_view small_parts);
std::string small_parts_of(const CheckpointHead &head);

/// Reads everything except the fields. Throws Error with the fault of the file and advice.
CheckpointHead read_checkpoint_head(const std::string &file_name);

/// Reads bytes of the fields. Throws Error. @param position  position in the file
void read_checkpoint_bytes(const std::string &file_name,
                           std::uint64_t position,
                           char *bytes,
                           std::size_t n);

/// Throws Error: a field does not match its checksum.
[[noreturn]] void refuse_damaged(const std::string &file_name);

/// Throws Error with the differences of the meshes, if there are any.
void compare_meshes(const std::string &file_name,
                    const checkpoint_format::MeshFingerprint &then,
                    const checkpoint_format::MeshFingerprint &now);
} // namespace strut
