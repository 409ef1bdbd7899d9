// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/plugin/dealii_classes.h>

#include <array>
#include <set>
#include <vector>

#include "source/assembly/connectivity.h"

namespace strut::plugin
{
/// A face of an element on the boundary: the input of face_weights().
struct BoundaryFace
{
  dealii::types::boundary_id id = 0;
  std::vector<LocalIndex>
    nodes; ///< vertices, then, of elements that have them, midpoints of the lines
  std::vector<std::array<int, 2>>
    lines; ///< of each midpoint: the places of its vertices in `nodes`
};

/// A mesh for the generation of matrices, and the way back to deal.II.
struct TriangulationMesh
{
  AssemblyMesh mesh;
  std::vector<BoundaryFace> faces;
  std::vector<unsigned int> cell_of_element; ///< active_cell_index() of each element
};

/// The active cells as elements of one type: hexahedra as hex8 or hex20, tetrahedra as tet4 or tet10. The
/// nodes are the vertices and, for hex20 and tet10, the midpoints of the lines, on the lines' manifolds:
/// curved boundaries stay curved. Elements are in the order of order_active_cells(), nodes in that of
/// their first touch.
///
/// @param fixed_boundaries  all nodes on faces with these boundary ids get their three DoFs constrained
/// @throws Error for cells of another shape, for hanging nodes, for cells that other ranks own, and for
/// elements that are inverted at a quadrature point, with their number and place
TriangulationMesh
build_assembly_mesh(const dealii::Triangulation<3, 3> &triangulation,
                    ElementType type,
                    const std::set<dealii::types::boundary_id> &fixed_boundaries = {});
} // namespace strut::plugin
