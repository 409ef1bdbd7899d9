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

namespace strut::plugin
{
/// What a checkpoint file contains besides its fields.
struct CheckpointHead
{
  checkpoint_format::MeshFingerprint mesh;
  CheckpointState state; ///< without fields

  /// How many fields of elements, fields of nodes and displacements there are, in this order.
  std::array<std::uint64_t, 3> n_fields{};
  std::vector<std::uint64_t> sums; ///< checkpoint_format::sum_of() each of them

  std::uint64_t n_all_fields() const
  {
    return n_fields[0] + n_fields[1] + n_fields[2];
  }
  /// Numbers per field of a kind, in the order of n_fields.
  std::uint64_t size_of(const std::size_t kind) const
  {
    return kind == 0 ? mesh.n_elements : kind == 1 ? mesh.n_nodes : 3 * mesh.n_nodes;
  }
  /// Where the fields end, and the small parts begin.
  std::uint64_t end_of_fields() const
  {
    std::uint64_t numbers = 0;
    for (std::size_t kind = 0; kind < 3; ++kind)
      numbers += n_fields[kind] * size_of(kind);
    return checkpoint_format::header_size + numbers * sizeof(double);
  }
};

/// The bytes before the fields and those behind them.
struct CheckpointEnds
{
  std::string header, trailer;
};
CheckpointEnds to_bytes(const CheckpointHead &head);

/// The small parts, from the bytes behind the fields and before the checksum, and back again for other ranks.
CheckpointHead head_from_bytes(const std::string &file_name, std::string_view small_parts);
std::string small_parts_of(const CheckpointHead &head);

/// Throws Error that says what is wrong with the file and what to do; the fields are not read.
CheckpointHead read_checkpoint_head(const std::string &file_name);

/// Read some numbers of the fields. Throws Error. @param first  which, from the beginning of the fields
void read_checkpoint_numbers(const std::string &file_name,
                             std::uint64_t first,
                             double *numbers,
                             std::size_t n);

/// Throw Error that a field does not match its checksum.
[[noreturn]] void refuse_damaged(const std::string &file_name);

/// Throw Error that says how the meshes differ, if they do.
void compare_meshes(const std::string &file_name,
                    const checkpoint_format::MeshFingerprint &then,
                    const checkpoint_format::MeshFingerprint &now);
} // namespace strut::plugin
