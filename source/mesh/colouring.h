// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Groups (colours) of elements without common nodes. The elements of one colour can write to their
/// nodes concurrently, without atomics and in a fixed order.
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

  /// Greedy colouring: each element in turn takes the lowest colour that none of its neighbours
  /// has. Elements are visited breadth first. This finds the eight colours of a box for any order
  /// of the elements along a space-filling curve. In that order itself it would take 18.
  static Colouring greedy(const ElementMesh &mesh);
};
} // namespace strut
