// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/mesh_sets.h"

namespace strut::plugin
{
/// Points that are nearer to each other than the tolerance become one, cells and groups with them.
/// @return how many points of cells are now others
std::size_t merge_points(FileMesh &mesh, double tolerance);

/// A mesh of a file that is not refined, and its sets.
struct FileCells
{
  CoarseMesh coarse;
  MeshSets sets;
};

/// The cells of a mesh of hexahedra, with its sets; ids and errors as of make_triangulation().
FileCells make_cells(FileMesh mesh);

/// Make the triangulation of a mesh. A material id is the number of the smallest group that has the cell, a
/// boundary id that of the smallest that has the face; 0 where there is none.
///
/// @throws MeshFileError, with lines of the file, for points that are not used well: cells that have one
/// twice, that are there twice, that overlap behind a common face, of which three share a face; for faces of
/// no cell
MeshSets make_triangulation(FileMesh mesh, dealii::Triangulation<3, 3> &triangulation);
} // namespace strut::plugin
