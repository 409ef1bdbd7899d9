// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut
{
// These read the text of a file of one format, and throw MeshFileError.

/// Reads a Gmsh file, format 2 or 4.1 in ASCII.
///
/// Physical volumes become groups of cells, physical surfaces groups of faces. Physical curves and
/// points with names become groups of nodes. A negative physical number reverses the normals of the
/// faces.
FileMesh read_gmsh(const std::string &text);

/// Reads an Abaqus file: a flat one, or parts with instances in an assembly, each moved and rotated
/// to its place. Coincident nodes of two instances stay two nodes.
///
/// Sets of solids become groups of cells, and so do instances if there are several. Surfaces and
/// sets of shells become groups of faces, sets of nodes groups of nodes. A name that several
/// instances have gets the name of the instance as prefix: `left-1.bolts`. Cubit's name EB7 also
/// means the number 7, SS5 the number 5; other groups are numbered in the order of the file.
FileMesh read_abaqus(const std::string &text);

/// Reads a legacy VTK file: ASCII, UNSTRUCTURED_GRID, versions 1 to 5, with the conventions of
/// deal.II.
///
/// The cell data MaterialID, as SCALARS or in a FIELD, are material ids of solids and boundary ids
/// of faces. They become groups without names. Other data such as ManifoldID and cells of lower
/// dimension are skipped.
FileMesh read_vtk(const std::string &text);
} // namespace strut
