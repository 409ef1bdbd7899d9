// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "plugin/deck/mesh/line_reader.h"

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

  /// Returns whether strut uses cells of this type: hexahedra of 8, 20 or 27 nodes, tetrahedra of 4
  /// or 10, and their faces.
  bool is_useful() const;

  /// Number of vertices of a useful type, whose nodes precede the others in every format.
  std::size_t n_vertices() const
  {
    return dim == 3 ? (n_nodes == 4 || n_nodes == 10 ? 4 : 8)
                    : (n_nodes == 3 || n_nodes == 6 ? 3 : 4);
  }

  /// Whether a useful type has nodes between vertices.
  bool is_quadratic() const
  {
    return n_nodes > n_vertices();
  }
};

/// The most nodes of a cell that strut uses.
constexpr std::size_t most_nodes_of_cell = 27;

/// The formats of mesh files, each with an order of nodes.
enum class MeshFormat
{
  gmsh,
  abaqus,
  vtk
};

// These return the type with a number or a name, or null. Names are in upper case.
const CellType *type_of_gmsh(long number);
const CellType *type_of_vtk(long number);
const CellType *type_of_abaqus(const std::string &name);

/// Returns whether an element of Abaqus that is no solid carries load, or has mass. Elements of
/// surfaces do not, nor do those of plane models, whose types converters give to faces.
bool carries_load(const CellType &type, const std::string &name_of_abaqus);

/// The kinds of cells in a mesh file, including those that strut refuses: the message tells the
/// user which kind of mesh it is.
struct MeshFileContents
{
  struct Cells
  {
    std::size_t count = 0;
    unsigned int dim  = 0;
    bool is_useful    = false; ///< whether strut uses them
    std::string first; ///< type and line of the first such cell in the file: "C3D10 in line 12"
  };

  std::map<std::string, Cells> cells; ///< counts by kind, for example "tetrahedra"

  /// Structural elements of Abaqus by type, such as trusses, beams, shells, springs and masses.
  /// They carry load or have mass, and are left out.
  std::map<std::string, Cells> carriers;
  /// Whether the file has a *... SECTION, a mass or a spring, so that it is more than a mesh.
  bool has_sections = false;
  /// Whether strut uses cells of the file with nodes between vertices.
  bool has_quadratic_cells = false;

  /// Counts a cell.
  /// @param type  null: unknown
  /// @param name  name of the type in the file
  /// @param line  line of the file; 0: the message does not mention it
  /// @param as  name of the type in the message about the first cell, if it differs
  void count(const CellType *type,
             const std::string &name,
             std::size_t line      = 0,
             const std::string &as = {});
  /// Counts more cells of a kind that was counted before.
  void count_more(const CellType &type, const std::size_t n)
  {
    cells.at(type.kind).count += n;
  }

  /// Returns "12 tetrahedra, 3 wedges": the cells of a dimension. @param but_for  kind to leave out
  std::string list(unsigned int dim, const std::string &but_for = "") const;
  /// The cells of a dimension without linear hexahedra.
  std::string list_others(const unsigned int dim) const
  {
    return list(dim, "hexahedra");
  }

  /// Returns "3 T3D2 (first: line 12), 4 S4 (first: line 20)".
  std::string list_carriers() const;

  /// Advice on the cells that strut refuses: one sentence for each group of kinds.
  /// @param all_types  whether cells other than linear hexahedra are taken, if all are of one type
  std::string remedies(bool all_types = false) const;

  /// Number of cells of a kind.
  std::size_t n_of(const std::string &kind) const;

  /// Number of kinds of cells of dimension 3 that strut uses.
  std::size_t n_useful_kinds() const;
  /// Returns whether all cells of dimension 3 are of one type, which strut uses.
  bool is_of_one_type() const;
};

/// A mesh as a file has it, in flat arrays: points, cells, faces, and sets with a name or a number.
/// Only the rules of the format are checked.
struct FileMesh
{
  static constexpr unsigned int none = std::numeric_limits<unsigned int>::max();

  /// Vertices of a cell. Hexahedra are in deal.II's lexicographic order: vertex v is at (v & 1, v
  /// >> 1 & 1, v >> 2) of the unit cube. Tetrahedra have four; the rest is `none`.
  using Cell = std::array<unsigned int, 8>;

  /// Vertices around a face, so that its normal follows the right-hand rule. The fourth of a
  /// triangle is `none`.
  using Face = std::array<unsigned int, 4>;

  /// Cells, faces or points with a number and a name. Groups may overlap.
  struct Group
  {
    unsigned int id = 0;
    std::string name; ///< may be empty
    std::vector<unsigned int> members;
    /// Pairs of nodes of the group that an element of the file connects; for groups of nodes only.
    std::vector<std::array<unsigned int, 2>> edges = {};
  };

  /// A cell with two ends. Meshes of solids do not need it.
  struct Line
  {
    std::array<unsigned int, 2> ends;
    std::size_t line; ///< line of the file, from 1
  };

  std::vector<dealii::Point<3>> points;
  ElementType type;               ///< type of the first cell
  bool has_several_types = false; ///< whether cells differ, which is refused later
  std::vector<Cell> cells;
  /// Points of the nodes of the cells after their vertices, `[n_cells][n_middles()]`. The order is
  /// that of the nodes of `type`.
  std::vector<unsigned int> middles;
  std::vector<Face> faces;
  std::vector<std::size_t> lines_of_cells, lines_of_faces; ///< lines of the file, from 1
  std::vector<Line> lines;

  std::vector<Group> cell_groups, face_groups;
  std::vector<Group> node_groups; ///< have names only; their ids mean nothing
  /// Whether nodes between nodes of a group join it, because the format has no edges of groups.
  bool node_groups_grow = false;

  /// Faces with the number 0, where that may mean that they are in no group.
  std::vector<unsigned int> faces_numbered_0;

  /// Names that select nothing, with the reason.
  std::map<std::string, std::string> names_of_nothing;
  std::string unread_ids; ///< a sentence on data that may be ids and are not read; may be empty
  std::vector<std::string> remarks; ///< for the log; notes begin with "NOTE: "

  /// Number of cells of each kind in the file, including those that strut refuses.
  MeshFileContents contents;

  /// Adds a cell or face of a useful type.
  /// @param nodes  points of the nodes in the order of the format
  /// @param line  line of the file
  /// @return the number among the cells or the faces
  unsigned int add(const CellType &kind,
                   const std::array<unsigned int, most_nodes_of_cell> &nodes,
                   MeshFormat format,
                   std::size_t line);

  /// Adds cells of the type of those before, all of which are of one type.
  /// @param lines  a number and the nodes of each cell, as in add()
  /// @return the number of the first one
  unsigned int
  add(const CellType &kind, const std::vector<LinesAhead<long>> &lines, MeshFormat format);

  /// Number of nodes of a cell after its vertices.
  std::size_t n_middles() const
  {
    return has_several_types ? 0 : type.n_nodes - type.n_vertices;
  }

  /// The first cell with the same points, for each cell.
  std::vector<std::uint32_t> first_of_equal_cells() const;

  bool has_tetrahedra() const
  {
    return !cells.empty() && cells.front()[4] == none;
  }
};

// These read the text of a file of one format, and throw MeshFileError.

/// Reads a Gmsh file, format 2 or 4.1 in ASCII; gmsh_text() makes this of a binary one.
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
/// deal.II. Lagrange cells of second order are read, too.
///
/// The cell data MaterialID, as SCALARS or in a FIELD, are material ids of solids and boundary ids
/// of faces. They become groups without names. Other data such as ManifoldID and cells of lower
/// dimension are skipped.
FileMesh read_vtk(const std::string &text);
} // namespace strut
