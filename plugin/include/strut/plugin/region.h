// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/point.h>

#include <memory>
#include <set>
#include <string>

namespace strut::plugin
{
struct MeshSummary;

/// A part of the mesh named in a deck: by boundary ids, by material ids, by an expression in x, y, z,
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

  /// Compile the expression and check the ids against the mesh.
  /// @throws EntryError for an unknown id (with the table of those that exist), for an expression
  /// that does not compile, and if nothing is given at all
  void prepare(const MeshSummary &summary);

  bool has_boundary_ids() const
  {
    return !boundary_ids_.empty();
  }
  bool has_material_ids() const
  {
    return !material_ids_.empty();
  }

  /// Whether the ids fit; an empty list fits all.
  bool has_boundary_id(const unsigned int id) const
  {
    return boundary_ids_.empty() || boundary_ids_.count(id) > 0;
  }
  bool has_material_id(const unsigned int id) const
  {
    return material_ids_.empty() || material_ids_.count(id) > 0;
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

  /// Whether the expression holds at a point; no expression holds everywhere.
  bool holds_at(const dealii::Point<3> &point) const;

  /// Throw the EntryError of a region without a single node, face or cell.
  /// @param what  "node", "boundary face", "element"
  [[noreturn]] void throw_selects_nothing(const std::string &what,
                                          const MeshSummary &summary) const;

  /// "boundary ids 2, 3 where x > 0".
  std::string describe() const;

private:
  std::vector<std::string> path_;
  std::set<unsigned int> boundary_ids_;
  std::set<unsigned int> material_ids_;
  std::string expression_;
  bool is_everywhere_ = false;

  std::unique_ptr<dealii::FunctionParser<3>> parser_;
};
} // namespace strut::plugin
