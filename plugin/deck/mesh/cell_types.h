// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace strut::plugin
{
/// A type of cells, and its name in each format of mesh files.
struct CellType
{
  const char *kind; ///< in the plural, as people say it; types of one kind are counted together
  unsigned int dim;
  std::size_t n_nodes; ///< 0: not known
  int gmsh, vtk;       ///< its numbers; 0: none
  const char *ucd;     ///< its name, in upper case
  const char *abaqus;  ///< the beginning of its names, in upper case

  /// Whether strut has a use for it: linear hexahedra, tetrahedra and faces of these.
  bool is_useful() const
  {
    return dim >= 2 && (n_nodes == 8 ? dim == 3 : n_nodes == 3 || n_nodes == 4);
  }
};

// The type of a number or name, or null. Names are in upper case.
const CellType *type_of_gmsh(long number);
const CellType *type_of_vtk(long number);
const CellType *type_of_ucd(const std::string &name);
const CellType *type_of_abaqus(const std::string &name);

/// Whether a line or face of Abaqus carries load: not of plane models, whose types converters give to faces, or of surfaces.
bool carries_load(const CellType &type, const std::string &name_of_abaqus);

/// The kinds of cells in a mesh file, also those that strut refuses: the message tells the user which
/// kind of mesh it is.
struct MeshFileContents
{
  struct Cells
  {
    std::size_t count = 0;
    unsigned int dim  = 0;
    std::string first; ///< type and place of the first of them in the file: "C3D10 in line 12"
  };

  std::map<std::string, Cells> cells; ///< by kind, for example "tetrahedra"

  /// Structural elements of Abaqus by type: trusses, beams, shells and the like, which carry load and are left out.
  std::map<std::string, Cells> carriers;
  bool has_sections = false; ///< a *... SECTION: the file is more than a mesh

  /// Count a cell. @param type  null: unknown @param name  of the type in the file
  /// @param line  of the file; 0: the message does not say it @param as  the type's name in the line
  void count(const CellType *type,
             const std::string &name,
             std::size_t line      = 0,
             const std::string &as = {});

  /// "12 tetrahedra, 3 wedges": the cells of a dimension, linear hexahedra left out.
  std::string list_others(unsigned int dim) const;

  /// "3 T3D2 (first: line 12), 4 S4 (first: line 20)".
  std::string list_carriers() const;

  /// Advice on the cells that strut refuses: sentences, each for some kinds.
  std::string remedies() const;

  /// Cells of a kind.
  std::size_t n_of(const std::string &kind) const;

  /// All of a dimension.
  std::size_t n_cells(unsigned int dim) const;
};
} // namespace strut::plugin
