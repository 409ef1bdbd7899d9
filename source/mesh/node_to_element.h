// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

#include "source/base/team.h"

namespace strut
{
/// Reverse connectivity (C_rev of Ratnakar 2022): the elements around each node, in ascending
/// order, in compressed rows.
struct NodeToElement
{
  /// `[n_nodes + 1]`
  std::vector<LocalIndex> begin;
  /// `n * element + local`, with n nodes per element: the element, and the index of the node among
  /// its own; `[n n_elements]`
  std::vector<LocalIndex> entries;

  /// Builds the reverse connectivity. It throws Error, as does the last overload, where LocalIndex
  /// cannot number the entries: from 2^29 hexahedra on.
  static NodeToElement build(const ElementMesh &mesh, int n_threads = cpu::default_n_threads());

  /// Builds it for some of the elements, of which there must be less than 2^29. Entries are element
  /// numbers, without vertices.
  ///
  /// @param is_in  `[n_elements]`, 1 or 0
  static NodeToElement
  of_elements(const ElementMesh &mesh, const std::vector<std::uint8_t> &is_in, int n_threads);

  /// Builds it for a list of elements without a pass over the others. Entries are indices in the
  /// list.
  ///
  /// @param elements  ascending, less than 2^29
  static NodeToElement
  of_list(const ElementMesh &mesh, const std::vector<LocalIndex> &elements, int n_threads);

  /// @param connectivity  `[n_elements][8]`
  static NodeToElement build(std::size_t n_nodes,
                             const std::vector<LocalIndex> &connectivity,
                             int n_threads = cpu::default_n_threads());
};
} // namespace strut
