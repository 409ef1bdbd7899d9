// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/deck_mesh.h>
#include <strut/optimization/responses/response_region.h>

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/point.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace strut
{
struct MeshSummary;
class SetSelection;

/// A part of the mesh named in a deck: by boundaries, by materials (their ids or names), or by an
/// expression in x, y, z. Several of these select their intersection.
///
/// The entries are in the subsection of the region's owner, such as a support. Expressions may use
/// the constants xmin, xmax, ymin, ymax, zmin, zmax (box of the mesh) and pi. They may also use h
/// (cube root of the volume of the smallest element) and tol (1e-6 of the longest side).
class Region
{
public:
  Region();
  ~Region();

  /// Declares the entries in the owner's subsection.
  /// @param path  path of that subsection, for messages
  void declare(dealii::ParameterAcceptor &owner, const std::vector<std::string> &path);

  /// Sets the entries without a deck. @param path  path of the subsection that the words come from
  void set(const ResponseRegion &words, const std::vector<std::string> &path);

  /// Compiles the expression and checks the ids against the mesh.
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

  /// Whether the boundaries of the region contain a face, seen from its element. That is a face of
  /// the boundary or a face inside of the mesh that the mesh file names. The latter belongs to the
  /// cell that its normal points out of. Node sets contain the boundary faces whose nodes they all
  /// contain. If no boundary is given, all boundary faces count.
  bool has_face(const DeckMesh &mesh, const DeckMesh::Face &face) const;

  /// Whether the region's boundaries include node sets, and whether these contain node v of an
  /// element.
  bool has_node_sets() const;
  bool has_node(const DeckMesh &mesh, std::size_t element, unsigned int v) const;

  /// Whether the region's materials contain an element; true if no material is given.
  bool has_element(const DeckMesh &mesh, std::size_t element) const;

  /// Names of surfaces within the mesh whose faces have normals to both sides; empty if none has.
  std::string surfaces_of_two_sides() const
  {
    return surfaces_of_two_sides_;
  }

  /// Doubts about the region's names and numbers in the mesh file: sentences for notes, without
  /// full stops.
  const std::vector<std::string> &doubts() const
  {
    return doubts_;
  }

  /// Whether the deck gives the word `everywhere` as the expression.
  bool is_everywhere() const
  {
    return is_everywhere_;
  }
  bool has_expression() const
  {
    return !expression_.empty();
  }

  /// Whether the expression holds at a point; true if there is no expression. Thread-safe.
  bool holds_at(const dealii::Point<3> &point) const;

  /// Throws the EntryError of a region without a single node, face or cell.
  /// @param entity  "node", "boundary face", "element"
  [[noreturn]] void throw_selects_nothing(const std::string &entity,
                                          const MeshSummary &summary) const;

  /// Text such as "boundary ids 2, 3 where x > 0".
  std::string describe() const;

private:
  std::vector<std::string> path_;
  void find_boundaries(const MeshSummary &summary);
  void find_materials(const MeshSummary &summary);
  void add_doubt(const std::string &doubt);

  std::vector<std::string> boundaries_, materials_;    ///< numbers and names, as in the deck
  std::set<unsigned int> boundary_ids_, material_ids_; ///< ids among these
  /// Sets of the mesh file among these.
  std::unique_ptr<SetSelection> boundary_sets_, material_sets_;
  std::string surfaces_of_two_sides_;
  std::vector<std::string> doubts_;
  std::string expression_;
  bool is_everywhere_ = false;

  /// Bound that a coordinate must satisfy wherever the expression holds.
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

  /// One parser per thread, as deal.II's parser takes a lock for each value. Empty if there is no
  /// expression.
  std::vector<std::unique_ptr<dealii::FunctionParser<3>>> parsers_;
};
} // namespace strut
