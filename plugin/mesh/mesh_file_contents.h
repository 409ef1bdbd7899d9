// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace strut::plugin
{
/// What kinds of cells a mesh file has, those that strut does not take among them: people need to hear
/// what kind of mesh they have.
struct MeshFileContents
{
  enum class Format
  {
    unknown,
    msh,
    abaqus,
    ucd,
    vtk
  };

  /// Cells of one kind, for example "tetrahedra".
  struct Cells
  {
    std::size_t count         = 0;
    unsigned int dim          = 0;
    bool is_linear_hexahedron = false;
    std::string first; ///< where and as what the file has the first of them: "C3D10 in line 12"
  };

  Format format = Format::unknown;
  std::map<std::string, Cells> cells;

  /// "12 tetrahedra, 3 wedges": the cells of a dimension, linear hexahedra left out.
  std::string list_others(const unsigned int dim) const;

  /// Linear ones.
  std::size_t n_hexahedra() const;
  std::size_t n_tetrahedra() const;

  /// All of a dimension.
  std::size_t n_cells(const unsigned int dim) const;
};

/// The format of a file, from how its text begins.
MeshFileContents::Format recognise_format(const std::string &text);

/// Count a cell of a type of VTK. @param line  of the file
void count_vtk(MeshFileContents &contents, long type, std::size_t line);

/// Count n elements of a type of Gmsh.
void count_gmsh(MeshFileContents &contents, int type, std::size_t n);

/// What strut knows about an element type of Abaqus, in upper case.
struct AbaqusElement
{
  unsigned int dim     = 0;
  unsigned int n_nodes = 0;     ///< 0: not known
  bool is_useful       = false; ///< a linear hexahedron, tetrahedron or face
};
AbaqusElement abaqus_element(const std::string &type);

/// Count an element of a type of Abaqus. @param line  of the file
void count_abaqus(MeshFileContents &contents, const std::string &type, std::size_t line);

/// The name of a format in a deck.
std::string to_string(const MeshFileContents::Format format);
} // namespace strut::plugin
