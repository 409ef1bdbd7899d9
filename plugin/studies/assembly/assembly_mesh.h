// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/dealii_classes.h>

#include <array>
#include <vector>

#include "source/comparison/assembly/connectivity.h"

namespace strut
{
/// A face of an element on the boundary, as face_weights() takes it.
struct BoundaryFace
{
  dealii::types::boundary_id id = 0;
  /// Vertices, followed by the midpoints of the lines in elements that have them.
  std::vector<LocalIndex> nodes;
  /// For each midpoint, the places of the two vertices of its line in `nodes`.
  std::vector<std::array<int, 2>> lines;
};

/// A mesh for the generation of matrices, with its relation to deal.II's cells.
struct TriangulationMesh
{
  AssemblyMesh mesh;
  std::vector<BoundaryFace> faces;
  std::vector<unsigned int> cell_of_element; ///< active_cell_index() of each element
};

/// Makes elements of one type from the active cells: hex8 or hex20 from hexahedra, tet4 or tet10
/// from tetrahedra. The nodes are the vertices and, for hex20 and tet10, the midpoints of the
/// lines. Midpoints follow the lines' manifolds, so curved boundaries stay curved. Elements are in
/// the order of order_active_cells(), nodes in the order in which they are first used. No DoF is
/// constrained.
///
/// @throws Error for cells of another shape, hanging nodes, cells that other ranks own, and
///   elements that are inverted at a quadrature point; the message says number and place
TriangulationMesh build_assembly_mesh(const dealii::Triangulation<3, 3> &triangulation,
                                      ElementType type);
} // namespace strut
