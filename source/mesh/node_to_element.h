// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

#include "source/base/team.h"

namespace strut
{
/// Reverse connectivity (C_rev of Ratnakar 2022): the elements around each node, in ascending order, in
/// compressed rows.
struct NodeToElement
{
  /// `[n_nodes + 1]`
  std::vector<LocalIndex> begin;
  /// `8 * element + vertex`: the element, and which of its vertices the node is; `[8 n_elements]`
  std::vector<LocalIndex> entries;

  /// Throws Error, as the last one, where LocalIndex cannot number so many entries: from 2^29 elements on.
  static NodeToElement build(const ElementMesh &mesh, int n_threads = cpu::default_n_threads());

  /// Of some of the elements, which the entries number without their vertices: less than 2^29, of any number.
  /// @param is_in  `[n_elements]`, 1 or 0
  static NodeToElement
  of_elements(const ElementMesh &mesh, const std::vector<std::uint8_t> &is_in, int n_threads);

  /// As of_elements(), but the entries are places in a list of elements, and it takes no walk over the others.
  /// @param elements  ascending, less than 2^29
  static NodeToElement
  of_list(const ElementMesh &mesh, const std::vector<LocalIndex> &elements, int n_threads);

  /// @param connectivity  `[n_elements][8]`
  static NodeToElement build(std::size_t n_nodes,
                             const std::vector<LocalIndex> &connectivity,
                             int n_threads = cpu::default_n_threads());
};
} // namespace strut
