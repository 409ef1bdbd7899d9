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

  /// Numbers of fields of elements, fields of nodes, displacements, and displacements before, in
  /// this order.
  std::array<std::uint64_t, 4> n_fields{};
  std::vector<std::uint64_t> sums; ///< checkpoint_format::sum_of() of each field

  /// Ends of the ranges of multiples in ascending order; each rank that wrote them has a range. The
  /// unit of a range is `units[field * n_ranges + range]`. Empty without displacements before.
  std::vector<std::uint64_t> ends_of_ranges;
  std::vector<double> units;

  std::uint64_t n_all_fields() const
  {
    return n_fields[0] + n_fields[1] + n_fields[2] + n_fields[3];
  }
  /// Numbers in a field of a kind; kinds are in the order of n_fields.
  std::uint64_t size_of(const std::size_t kind) const
  {
    return kind == 0 ? mesh.n_elements : kind == 1 ? mesh.n_nodes : 3 * mesh.n_nodes;
  }
  /// Bytes of a number.
  static std::size_t bytes_of(const std::size_t kind)
  {
    return kind < 3 ? sizeof(double) : sizeof(std::int32_t);
  }
  /// Position where the fields end, and the small parts begin.
  std::uint64_t end_of_fields() const
  {
    std::uint64_t end = checkpoint_format::header_size;
    for (std::size_t kind = 0; kind < n_fields.size(); ++kind)
      end += n_fields[kind] * size_of(kind) * bytes_of(kind);
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
/// @param version  version of the file; the present one for bytes of small_parts_of()
CheckpointHead head_from_bytes(const std::string &file_name,
                               std::string_view small_parts,
                               std::uint32_t version = checkpoint_format::version);
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
