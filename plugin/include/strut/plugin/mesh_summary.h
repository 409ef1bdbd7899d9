// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <deal.II/base/bounding_box.h>

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string>

namespace strut::plugin
{
/// What a mesh consists of, over all ranks: for tables, messages and the constants of expressions.
struct MeshSummary
{
  struct Part
  {
    std::uint64_t count = 0; ///< faces or cells
    double measure      = 0; ///< area or volume
    dealii::BoundingBox<3> box;
  };

  std::uint64_t n_cells = 0;
  double smallest_cell  = 0; ///< cube root of the smallest volume
  double shortest_edge  = 0; ///< of all elements
  double longest_edge   = 0;
  dealii::BoundingBox<3> box;
  std::map<unsigned int, Part> boundary_ids;
  std::map<unsigned int, Part> material_ids;

  /// Collective.
  static MeshSummary collect(const dealii::Triangulation<3, 3> &triangulation,
                             MPI_Comm communicator);

  /// Coordinates closer than this are the same: 1e-6 of the longest edge of the box.
  double tolerance() const;

  /// Area of all boundary faces, volume of all elements, with the numbers of both.
  Part whole_boundary() const;
  Part whole_mesh() const;

  /// Tables "id, faces, area, box" and "id, cells, volume, box", one line each.
  std::string boundary_table() const;
  std::string material_table() const;
};
} // namespace strut::plugin
