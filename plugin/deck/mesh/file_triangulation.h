// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/dealii_classes.h>

#include <array>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/mesh_sets.h"

namespace strut
{
/// Merges points that are nearer to each other than the tolerance, in cells and groups.
/// @return how many points of cells were replaced
std::size_t merge_points(FileMesh &mesh, double tolerance);

/// The least scaled Jacobian at the corners of a hexahedron with lexicographic vertices: the
/// determinant of the three unit vectors along the edges of a corner. It is 1 for a box, and 0 or
/// less if a corner is flat or inverted.
double minimum_scaled_jacobian(const std::array<dealii::Point<3>, 8> &vertices);

/// A mesh of a file that is not refined, with its sets.
struct FileCells
{
  CoarseMesh coarse;
  MeshSets sets;
};

/// Makes the cells of a mesh, with its sets. Ids and errors are those of make_triangulation().
/// Tetrahedra of ten nodes are of type tet10-curved if a node is not in the middle of its line.
FileCells make_cells(FileMesh mesh);

/// Makes the triangulation of a mesh of linear cells. A material id is the number of the smallest
/// group that has the cell, a boundary id that of the smallest group that has the face; 0 where
/// there is none.
///
/// @throws MeshFileError, with lines of the file, for cells that have a point twice, that occur
///   twice, that overlap behind a common face, and for three cells at one face. Faces of no cell
///   are errors, too, and so are cells whose common line or face has several nodes in its middle.
MeshSets make_triangulation(FileMesh mesh, dealii::Triangulation<3, 3> &triangulation);
} // namespace strut
