// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugin/base/shared_file.h"
#include "plugin/deck/output/checkpoint_file.h"

namespace strut::plugin
{
/// What this rank has of the fields: a range of the elements of all ranks, and one of their nodes.
struct CheckpointPart
{
  std::uint64_t first_element = 0, first_node = 0, n_elements = 0, n_nodes = 0;

  /// Where the part of a field of some kind begins, and how many numbers it has.
  std::uint64_t begin(const std::size_t kind) const
  {
    return kind == 0 ? first_element : kind == 1 ? first_node : 3 * first_node;
  }
  std::size_t size(const std::size_t kind) const
  {
    return kind == 0 ? n_elements : kind == 1 ? n_nodes : 3 * n_nodes;
  }
};

/// Do something for each field of a design: (kind, field), in the order of the file.
template <typename State, typename Body>
void for_design_fields(State &design, const Body &body)
{
  for (auto &field : design.element_fields)
    body(0, field);
  for (auto &field : design.node_fields)
    body(1, field);
}

/// The same for all fields of a state: the displacements are behind those of the design, then the multiples of those before.
template <typename Body>
void for_fields(const CheckpointState &state, const Body &body)
{
  for_design_fields(state.design, body);
  for (const SharedField &field : state.displacements)
    body(2, *field);
  for (const PackedValues &field : state.displacements_before)
    body(3, field.multiples);
}

/// A state on its way into the file.
struct UnfinishedCheckpoint
{
  CheckpointHead head;    ///< with the sums of this rank's parts, once they are written
  CheckpointState fields; ///< of this rank
  std::unique_ptr<SharedFile> file;
  std::uint64_t position = checkpoint_format::header_size; ///< of the next field

  /// Write this rank's parts of the fields by one thread, and forget them.
  void write(const CheckpointPart &part);

  /// Write this rank's part of the next field.
  template <typename Number>
  void write_field(const CheckpointPart &part,
                   std::size_t kind,
                   const std::vector<Number> &field,
                   int n_threads);

  /// Write the rest, on rank 0, once `head` has the sums of all ranks.
  /// @param keep_as  the name that the file before gets
  void finish(const std::string &keep_as);
};
} // namespace strut::plugin
