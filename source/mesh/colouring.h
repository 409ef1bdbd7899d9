// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// The elements in groups (colours) such that no two elements of a colour share a node: the elements
/// of one colour can write to the nodes at the same time, without atomics and in a fixed order.
struct Colouring
{
  /// First element of each colour in `elements`, `[n_colours + 1]`.
  std::vector<LocalIndex> begin;
  /// Element numbers, by colour, ascending within each; `[n_elements]`.
  std::vector<LocalIndex> elements;

  std::size_t n_colours() const
  {
    return begin.size() - 1;
  }

  /// Greedy: each element in turn takes the lowest colour that none of its neighbours has. The turn
  /// goes from neighbour to neighbour (breadth first): that finds the eight colours of a box whatever
  /// the elements' order along a space-filling curve, where that order itself takes 18.
  static Colouring greedy(const ElementMesh &mesh);
};
} // namespace strut
