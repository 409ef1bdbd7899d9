// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/mesh/hierarchy.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// The interpolation between two levels, on the host; arrays as in NodeInterpolation.
struct InterpolationTables
{
  /// Lists of nodes, as NodeLists.
  struct Lists
  {
    std::vector<std::uint32_t> bases, begins, patterns;
  };

  std::vector<std::uint32_t> places;
  Lists elements;
  Lists children;

  /// Build the tables from the parent and the place of each fine element. They are the same for any
  /// number of threads. Throws Error if there are more fine nodes or elements than the tables can
  /// number.
  ///
  /// @param fine  the finer mesh; its owned nodes get places
  static InterpolationTables
  build(const ElementMesh &fine, const LevelTransfer &transfer, int n_threads);
};
} // namespace strut
