// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "source/mesh/rigid_motions.h"

namespace strut
{
/// The bodies of a mesh. They are found on the coarse cells: refinement does not change them, and
/// every rank has all coarse cells.
struct MeshBodies
{
  Bodies bodies;                             ///< without of_node
  std::vector<std::uint32_t> of_coarse_cell; ///< body of each coarse cell
  std::vector<std::set<unsigned int>> material_ids;
  std::vector<std::size_t> n_coarse_cells; ///< number of coarse cells of each body

  std::size_t size() const
  {
    return bodies.boxes.size();
  }
};

/// Finds the bodies of a coarse mesh.
/// @param tied  pairs of cells that belong to one body although they share no face
MeshBodies find_bodies(const CoarseMesh &mesh,
                       const std::vector<std::array<std::uint32_t, 2>> &tied = {});

/// For each point, the number of the first point that is nearer than the tolerance, possibly
/// itself.
std::vector<unsigned int> first_of_coincident(const std::vector<dealii::Point<3>> &points,
                                              double tolerance);

/// Number of coarse vertices of this body that coincide with vertices of other bodies but are not
/// shared, as in a mesh whose volumes were never joined.
std::size_t n_coincident_nodes(const CoarseMesh &mesh,
                               const MeshBodies &bodies,
                               std::size_t body,
                               double tolerance);
} // namespace strut
