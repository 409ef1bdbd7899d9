// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <limits>

namespace strut
{
/// Sizes of some elements.
struct ElementSizes
{
  static constexpr double nothing = std::numeric_limits<double>::max();

  double volume               = 0.;                               ///< of all
  std::array<double, 3> lower = {{nothing, nothing, nothing}};    ///< of their box
  std::array<double, 3> upper = {{-nothing, -nothing, -nothing}}; ///< of their box
  double shortest_sqr         = nothing;                          ///< square of an edge
  double longest_sqr          = 0.;                               ///< square of an edge
  double smallest             = nothing;                          ///< volume

  /// Of elements begin to end - 1. Volumes must be set.
  static ElementSizes of(const ElementMesh &mesh, std::size_t begin, std::size_t end);

  /// Add those of elements that follow.
  void add(const ElementSizes &others);
};
} // namespace strut
