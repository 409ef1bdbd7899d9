// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut::cuda
{
/// The groups of SharedNz and the addends of each of their non-zero blocks. The host arrays have
/// the same names.
struct SharedNzLists
{
  /// The mesh and its neighbour rows on the host.
  struct Mesh
  {
    ElementType type;
    std::size_t n_nodes, n_elements;
    std::vector<LocalIndex> nodes; ///< `[type.n_nodes][n_elements]`
    std::vector<std::uint64_t> begin;
    std::vector<LocalIndex> neighbours;
    std::vector<LocalIndex> incidence_begin, incidences;
  };

  /// Make the lists.
  /// @param capacity  largest number of elements of a group
  /// @throws Error if one node has more elements, with the types that need less memory
  SharedNzLists(const Mesh &mesh, std::size_t capacity);

  std::vector<LocalIndex> first_node;
  std::vector<std::uint64_t> first_element;
  std::vector<LocalIndex> elements;
  std::vector<LocalIndex> rows;
  std::vector<std::uint64_t> first_contribution;
  std::vector<std::uint32_t> contributions;
};
} // namespace strut::cuda
