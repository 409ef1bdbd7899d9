// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut::plugin
{
// Each reads the text of a file of one format. They throw MeshFileError.

/// A Gmsh file, format 2 or 4.1 in ASCII.
///
/// Physical volumes become groups of cells, physical surfaces groups of faces, physical curves and points
/// with names groups of nodes. A negative physical number turns the faces round.
FileMesh read_gmsh(const std::string &text);

/// An Abaqus file: a flat one, or parts and their instances in an assembly, each moved and turned to its
/// place. Nodes of two instances stay two nodes where they coincide.
///
/// Sets of solids, and instances where there are several, become groups of cells; surfaces and sets of
/// shells groups of faces; sets of nodes groups of nodes. A name that several instances have gets that of
/// the instance in front: `left-1.bolts`. The name EB7 of Cubit is the number 7 as well, SS5 the number 5;
/// other groups are numbered as they come.
FileMesh read_abaqus(const std::string &text);

/// A UCD file of AVS, in ASCII, with the conventions of deal.II.
///
/// The second number of a hexahedron or tetrahedron is its material id, that of a quadrilateral or triangle
/// its boundary id: groups without names. Points and lines are checked and passed over, data likewise.
FileMesh read_ucd(const std::string &text);

/// A legacy VTK file: ASCII, UNSTRUCTURED_GRID, of versions 1 to 5, with the conventions of deal.II.
///
/// The cell data MaterialID, as SCALARS or in a FIELD, are material ids of solids and boundary ids of faces:
/// groups without names. Other data are passed over, ManifoldID among them; cells of lower dimension, too.
FileMesh read_vtk(const std::string &text);
} // namespace strut::plugin
