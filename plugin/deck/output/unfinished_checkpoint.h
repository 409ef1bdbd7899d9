// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugin/base/shared_file.h"
#include "plugin/deck/output/checkpoint_file.h"

namespace strut
{
/// Part of the fields on this rank: a range of the elements of all ranks, and a range of their
/// nodes.
struct CheckpointPart
{
  std::uint64_t first_element = 0, first_node = 0, n_elements = 0, n_nodes = 0;

  /// Position where the part begins in a field of this kind. size() is the number of its values.
  std::uint64_t begin(const std::size_t kind) const
  {
    return kind == 0 ? first_element : kind == 1 ? first_node : 3 * first_node;
  }
  std::size_t size(const std::size_t kind) const
  {
    return kind == 0 ? n_elements : kind == 1 ? n_nodes : 3 * n_nodes;
  }
};

/// Calls body(kind, field) for each field of a design, in the order of the file.
template <typename State, typename Body>
void for_design_fields(State &design, const Body &body)
{
  for (auto &field : design.element_fields)
    body(0, field);
  for (auto &field : design.node_fields)
    body(1, field);
}

/// Calls body(kind, field) for all fields of a state: those of the design, then displacements, then
/// the multiples of the displacements before.
template <typename Body>
void for_fields(const CheckpointState &state, const Body &body)
{
  for_design_fields(state.design, body);
  for (const SharedField &field : state.displacements)
    body(2, *field);
  for (const PackedValues &field : state.displacements_before)
    body(3, field.multiples);
}

/// A state that is being written to the file.
struct UnfinishedCheckpoint
{
  CheckpointHead head;    ///< with the sums of this rank's parts, once they are written
  CheckpointState fields; ///< fields of this rank
  std::unique_ptr<SharedFile> file;
  std::uint64_t position = checkpoint_format::header_size; ///< position of the next field

  /// Writes this rank's parts of the fields with one thread, and drops them.
  void write(const CheckpointPart &part);

  /// Writes this rank's part of the next field.
  template <typename Number>
  void write_field(const CheckpointPart &part,
                   std::size_t kind,
                   const std::vector<Number> &field,
                   int n_threads);

  /// Writes the rest on rank 0, once `head` has the sums of all ranks.
  /// @param keep_as  name that the previous file gets
  void finish(const std::string &keep_as);
};
} // namespace strut
