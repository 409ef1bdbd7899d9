// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <limits>

namespace strut
{
/// Sets the volumes of the elements, by their quadrature.
///
/// @return the number of elements whose Jacobian is not positive at some quadrature point
std::size_t compute_volumes(ElementMesh &mesh, int n_threads);

/// Sums and extremes of the sizes of some elements.
struct ElementSizes
{
  static constexpr double nothing = std::numeric_limits<double>::max();

  double volume               = 0.;                            ///< total volume
  std::array<double, 3> lower = {{nothing, nothing, nothing}}; ///< lower corner of the bounding box

  /// Upper corner of the bounding box.
  std::array<double, 3> upper = {{-nothing, -nothing, -nothing}};
  double shortest_sqr         = nothing; ///< square of the shortest edge
  double longest_sqr          = 0.;      ///< square of the longest edge
  double smallest             = nothing; ///< smallest volume

  /// The sizes of elements begin to end - 1. Volumes must be set.
  static ElementSizes of(const ElementMesh &mesh, std::size_t begin, std::size_t end);

  /// Adds the sizes of the following elements.
  void add(const ElementSizes &others);
};
} // namespace strut
