// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace strut
{
/// A type of cells, with its name in each format of mesh files.
struct CellType
{
  const char *kind; ///< plural name for messages; types of one kind are counted together
  unsigned int dim;
  std::size_t n_nodes; ///< 0: unknown
  int gmsh, vtk;       ///< type numbers of these formats; 0: none
  const char *abaqus;  ///< prefixes of the names, in upper case

  /// Whether strut uses cells of this type: linear hexahedra, tetrahedra, and their faces.
  bool is_useful() const
  {
    return dim >= 2 && (n_nodes == 8 ? dim == 3 : n_nodes == 3 || n_nodes == 4);
  }
};

// These return the type with a number or a name, or null. Names are in upper case.
const CellType *type_of_gmsh(long number);
const CellType *type_of_vtk(long number);
const CellType *type_of_abaqus(const std::string &name);

/// Whether a line or face of Abaqus carries load. Elements of surfaces do not, nor do those of
/// plane models, whose types converters give to faces.
bool carries_load(const CellType &type, const std::string &name_of_abaqus);

/// The kinds of cells in a mesh file, including those that strut refuses: the message tells the
/// user which kind of mesh it is.
struct MeshFileContents
{
  struct Cells
  {
    std::size_t count = 0;
    unsigned int dim  = 0;
    std::string first; ///< type and line of the first such cell in the file: "C3D10 in line 12"
  };

  std::map<std::string, Cells> cells; ///< counts by kind, for example "tetrahedra"

  /// Structural elements of Abaqus by type, such as trusses, beams and shells. They carry load and
  /// are left out.
  std::map<std::string, Cells> carriers;
  /// Whether the file has a *... SECTION, so that it is more than a mesh.
  bool has_sections = false;

  /// Counts a cell.
  /// @param type  null: unknown
  /// @param name  name of the type in the file
  /// @param line  line of the file; 0: the message does not mention it
  /// @param as  name of the type in the message about the first cell, if it differs
  void count(const CellType *type,
             const std::string &name,
             std::size_t line      = 0,
             const std::string &as = {});

  /// Returns "12 tetrahedra, 3 wedges": the cells of a dimension without linear hexahedra.
  std::string list_others(unsigned int dim) const;

  /// Returns "3 T3D2 (first: line 12), 4 S4 (first: line 20)".
  std::string list_carriers() const;

  /// Advice on the cells that strut refuses: one sentence for each group of kinds.
  std::string remedies() const;

  /// Number of cells of a kind.
  std::size_t n_of(const std::string &kind) const;

  /// Number of cells of a dimension.
  std::size_t n_cells(unsigned int dim) const;
};
} // namespace strut
