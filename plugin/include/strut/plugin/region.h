// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/responses/response_region.h>
#include <strut/plugin/dealii_classes.h>
#include <strut/plugin/deck_mesh.h>

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/point.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace strut::plugin
{
struct MeshSummary;
class SetSelection;

/// A part of the mesh named in a deck: by boundaries, by materials (their ids or names), by an expression in x, y, z,
/// or by several of these at once (then it is their intersection).
///
/// Its entries are in the subsection of whoever uses it, a support say. Expressions may use the
/// constants xmin, xmax, ymin, ymax, zmin, zmax (box of the mesh), h (cube root of the volume of the
/// smallest element), tol (1e-6 of the longest side) and pi.
class Region
{
public:
  Region();
  ~Region();

  /// Declare the entries in the owner's subsection.
  /// @param path  of that subsection, for messages
  void declare(dealii::ParameterAcceptor &owner, const std::vector<std::string> &path);

  /// The same without a deck's entries. @param path  of the subsection that the words come from
  void set(const ResponseRegion &words, const std::vector<std::string> &path);

  /// Compile the expression and check the ids against the mesh.
  /// @throws EntryError for an unknown id (with the table of those that exist), for an expression
  /// that does not compile, and if nothing is given at all
  void prepare(const MeshSummary &summary);

  bool has_boundary_ids() const
  {
    return !boundaries_.empty();
  }
  bool has_material_ids() const
  {
    return !materials_.empty();
  }

  /// Whether its boundary has a face of an element, as seen from there: one of the boundary, or one inside
  /// of the mesh that the mesh file names, which belongs to the cell from which its normal points out. A node
  /// set has the faces of the boundary whose nodes are all in it. All
  /// of the boundary if no boundary is given.
  bool has_face(const DeckMesh &mesh, const DeckMesh::Face &face) const;

  /// Whether its boundary has node sets, and whether vertex v of an element is in one of them.
  bool has_node_sets() const;
  bool has_node(const DeckMesh &mesh, std::size_t element, unsigned int v) const;

  /// Whether its material has an element; true if no material is given.
  bool has_element(const DeckMesh &mesh, std::size_t element) const;

  /// The names of surfaces within the mesh whose faces have normals to both sides; empty if there is none.
  std::string surfaces_of_two_sides() const
  {
    return surfaces_of_two_sides_;
  }

  /// Doubts about its names and numbers in the mesh file: sentences for notes, without full stops.
  const std::vector<std::string> &doubts() const
  {
    return doubts_;
  }

  /// Whether the deck says that the expression holds everywhere, by this word.
  bool is_everywhere() const
  {
    return is_everywhere_;
  }
  bool has_expression() const
  {
    return !expression_.empty();
  }

  /// Whether the expression holds at a point; no expression holds everywhere. Several threads may ask.
  bool holds_at(const dealii::Point<3> &point) const;

  /// Throw the EntryError of a region without a single node, face or cell.
  /// @param entity  "node", "boundary face", "element"
  [[noreturn]] void throw_selects_nothing(const std::string &entity,
                                          const MeshSummary &summary) const;

  /// "boundary ids 2, 3 where x > 0".
  std::string describe() const;

private:
  std::vector<std::string> path_;
  void find_boundaries(const MeshSummary &summary);
  void find_materials(const MeshSummary &summary);
  void add_doubt(const std::string &doubt);

  std::vector<std::string> boundaries_, materials_;    ///< numbers and names, as in the deck
  std::set<unsigned int> boundary_ids_, material_ids_; ///< of these, those that are ids
  std::unique_ptr<SetSelection> boundary_sets_, material_sets_; ///< and sets of the mesh file
  std::string surfaces_of_two_sides_;
  std::vector<std::string> doubts_;
  std::string expression_;
  bool is_everywhere_ = false;

  /// Of the coordinates of all points where the expression holds.
  struct Bound
  {
    bool admits(const dealii::Point<3> &point) const
    {
      const double x = point[direction];
      return is_upper ? x < number || (x == number && is_closed)
                      : x > number || (x == number && is_closed);
    }

    unsigned int direction;
    bool is_upper, is_closed;
    double number;
  };
  std::vector<Bound> bounds_;

  /// One per thread: deal.II's parser takes a lock for each value. Empty: no expression.
  std::vector<std::unique_ptr<dealii::FunctionParser<3>>> parsers_;
};
} // namespace strut::plugin
