// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/dealii_classes.h>

#include <array>
#include <vector>

#include "source/comparison/assembly/mesh_arrays.h"

namespace strut
{
/// A face of an element on the boundary, as face_weights() takes it.
struct BoundaryFace
{
  dealii::types::boundary_id id = 0;
  /// Vertices, followed by the midpoints of the lines and the centre in elements that have them.
  std::vector<LocalIndex> nodes;
  /// For each midpoint, the places of the two vertices of its line in `nodes`.
  std::vector<std::array<int, 2>> lines;
};

/// A mesh for the generation of matrices, and its boundary. `mesh.element_to_cell` has the
/// active_cell_index() of each element; volumes and flags are empty.
struct TriangulationMesh
{
  ElementMesh mesh;
  std::vector<BoundaryFace> faces;
};

/// Makes elements of one type from the active cells, which have its number of vertices. The nodes
/// are the vertices and, as the type needs them, the midpoints of the lines, and the centres of the
/// faces and of the cells. They follow the manifolds, so curved boundaries stay curved. Elements
/// are in the order of order_active_cells(), nodes in the order in which they are first used. No
/// DoF is constrained.
///
/// @throws Error for cells of another shape, hanging nodes, cells that other ranks own, and
///   elements that are inverted at a quadrature point; the message says number and place
TriangulationMesh build_assembly_mesh(const dealii::Triangulation<3, 3> &triangulation,
                                      const ElementType &type);
} // namespace strut
