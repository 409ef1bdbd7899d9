// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/region.h>

#include <deal.II/base/function_parser.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/deck/problem/condition.h"
#include "plugin/deck/problem/number_parser.h"
#include "source/base/team.h"
#include <strut/mesh_summary.h>

namespace strut
{
namespace
{
/// Returns whether a text is an id, which is then stored in `id`.
bool is_id(const std::string &text, unsigned int &id)
{
  if (text.empty() || text.size() > 9 ||
      !std::all_of(text.begin(), text.end(), [](const char c) { return c >= '0' && c <= '9'; }))
    return false;
  id = static_cast<unsigned int>(std::stoul(text));
  return true;
}

/// The sets of the mesh file; none without one.
const MeshSets &sets_of(const MeshSummary &summary)
{
  static const MeshSets none;
  return summary.sets == nullptr ? none : *summary.sets;
}

/// Names that a deck would read instead of this name, because '#' begins a comment and ','
/// separates names. Empty if the name can be written in a deck.
std::vector<std::string> pieces_in_a_deck(const std::string &name)
{
  if (name.find_first_of("#,") == std::string::npos)
    return {};
  std::vector<std::string> pieces =
    dealii::Utilities::split_string_list(name.substr(0, name.find('#')));
  for (std::string &piece : pieces)
    piece = trim(piece);
  return pieces;
}

/// A group of the mesh, for a message.
struct NamedGroup
{
  std::string kind, name; ///< kind, such as "surface", and name
  bool has_number = false;
  unsigned int id = 0;
};

std::string quoted_name(const std::string &name)
{
  return "'" + shown(name, 60) + "'";
}

/// Returns a text such as "surface 'a', number 3".
std::string describe(const NamedGroup &group)
{
  return group.kind + (group.name.empty() ? "" : " " + quoted_name(group.name)) +
         (group.has_number ? ", number " + std::to_string(group.id) : "");
}

/// Number or name by which a deck can refer to one group and no other; may be empty.
std::string words_for(const NamedGroup &group, const std::vector<NamedGroup> &all)
{
  const auto is_taken = [&](const std::string &text) {
    unsigned int id    = 0;
    const bool numeric = is_id(text, id);
    return std::any_of(all.begin(), all.end(), [&](const NamedGroup &other) {
      return (other.name == text || (numeric && other.has_number && other.id == id)) &&
             !(other.name == group.name && other.has_number == group.has_number &&
               other.id == group.id);
    });
  };
  if (group.has_number && !is_taken(std::to_string(group.id)))
    return std::to_string(group.id);
  return group.name.empty() || is_taken(group.name) ? "" : group.name;
}

/// Throws EntryError if a text is the name of one group and the number of another.
void require_one_meaning(const std::string &text,
                         const std::vector<NamedGroup> &all,
                         const std::vector<std::string> &path,
                         const std::string &entry)
{
  unsigned int id = 0;
  if (!is_id(text, id))
    return;
  const auto is_named    = [&](const NamedGroup &group) { return group.name == text; };
  const auto is_numbered = [&](const NamedGroup &group) {
    return group.has_number && group.id == id;
  };
  const auto named    = std::find_if(all.begin(), all.end(), is_named);
  const auto numbered = std::find_if(all.begin(), all.end(), is_numbered);
  if (named == all.end() || numbered == all.end() ||
      std::any_of(all.begin(), all.end(), [&](const NamedGroup &group) {
        return is_named(group) && is_numbered(group);
      }))
    return;
  std::string message =
    quoted_name(text) + " is the name of one group of the mesh and the number of another:";
  for (const auto &group : {named, numbered})
    {
      const std::string words = words_for(*group, all);
      message +=
        "\n    " + describe(*group) +
        (words.empty() ? ", which has no word of its own" : ": write " + quoted_name(words));
    }
  throw EntryError(path,
                   entry,
                   message + "\n  Or give the groups names in the mesh file that are no numbers.");
}

/// Explains why a text is no name, and suggests names: sentences, each preceded by a blank.
std::string guess(const std::string &text, const std::vector<NamedGroup> &all, const MeshSets &sets)
{
  if (const auto nothing = sets.names_of_nothing.find(text); nothing != sets.names_of_nothing.end())
    return " The file has the name, but " + nothing->second + ".";
  std::vector<std::string> names;
  for (const NamedGroup &group : all)
    {
      names.push_back(group.name);
      for (const std::string &cut : pieces_in_a_deck(group.name))
        if (cut == text)
          return " It has the " + describe(group) +
                 ": in a deck, '#' begins a comment and ',' the next name. " +
                 (group.has_number ? "Write the number."
                                   : "Give it another name in the mesh file.");
    }
  const std::vector<std::string> near = near_names(text, names);
  return near.empty() ? std::string() : " Did you mean " + quoted_name(near.front()) + "?";
}

/// The sentence on data that may be ids, for the end of a message; may be empty.
std::string unread_ids_after(const MeshSets &sets)
{
  return sets.unread_ids.empty() ? "" : ' ' + sets.unread_ids + '.';
}

/// Remark that a name matches, and that a deck would shorten another name to it; may be empty.
std::string doubt_about_name(const std::string &text, const std::vector<NamedGroup> &all)
{
  for (const NamedGroup &group : all)
    for (const std::string &cut : pieces_in_a_deck(group.name))
      if (cut == text)
        return quoted_name(text) + " is taken, not the " + describe(group) +
               ", whose name a deck cannot write: '#' begins a comment and ',' the next name";
  return "";
}

/// Remark that id 0 has more faces than those with number 0 in the file; may be empty.
std::string doubt_about_0(const MeshSets &sets)
{
  if (sets.n_faces_numbered_0 == 0 || sets.n_faces_without_number == 0)
    return "";
  return "the file gives the number 0 to " + std::to_string(sets.n_faces_numbered_0) +
         " faces; 'Boundary ids = 0' also takes the " +
         std::to_string(sets.n_faces_without_number) +
         " boundary faces to which it gives none. If they are not meant, give those of the file another number";
}

/// Remark that nodes belong to no hexahedron; may be empty.
std::string doubt_about_nodes(const MeshSets::Nodes &set)
{
  return set.n_without_cells == 0
           ? ""
           : std::to_string(set.n_without_cells) + " of the " + std::to_string(set.count) +
               " nodes of " + quoted_name(set.name) +
               " belong to no hexahedron and are left out; couplings of such nodes are not read";
}

/// Remark that a refinement adds nodes that may be unintended; may be empty.
std::string doubt_about_growth(const MeshSets::Nodes &set, const MeshSummary &summary)
{
  if (summary.n_cells <= summary.sets->n_coarse_cells ||
      set.n_doubtful_edges + set.n_doubtful_faces == 0)
    return "";
  std::string where =
    set.n_doubtful_faces == 0 ? "" : std::to_string(set.n_doubtful_faces) + " faces";
  if (set.n_doubtful_edges > 0)
    where += (where.empty() ? "" : " and ") + std::to_string(set.n_doubtful_edges) + " edges";
  return "the mesh is refined, and the new nodes on " + where +
         " of the file's elements between the " + std::to_string(set.count) + " nodes of " +
         quoted_name(set.name) +
         " join it, for a set of nodes does not say whether it is points, edges or faces. If these are not "
         "meant, give the file at least two elements across, or select the place by an 'Expression'";
}
} // namespace

Region::Region()  = default;
Region::~Region() = default;

void Region::declare(dealii::ParameterAcceptor &owner, const std::vector<std::string> &path)
{
  path_ = path;
  owner.add_parameter("Boundary ids",
                      boundaries_,
                      "Boundary ids of the region, or names of surfaces and node sets of the mesh "
                      "file. Empty: not restricted to a part of the boundary. Of a "
                      "non-design region: the elements with a face there.");
  owner.add_parameter(
    "Material ids",
    materials_,
    "Material ids of the region, or names of volumes and element sets of the mesh "
    "file. Empty: not restricted to material ids.");
  owner.add_parameter(
    "Expression",
    expression_,
    "Condition in x, y, z that holds in the region, for example "
    "'x > xmax - tol and z < zmin + tol'. 'everywhere': the whole mesh; empty: no condition. "
    "Comparisons, and, or, not (&&, ||, !), abs, sqrt, sin, ... The box of the mesh: xmin, xmax, "
    "ymin, ymax, zmin, zmax. h: cube root of the volume of the smallest element. tol: a millionth "
    "of the longest side. Also pi.");
}

void Region::set(const ResponseRegion &words, const std::vector<std::string> &path)
{
  path_       = path;
  boundaries_ = dealii::Utilities::split_string_list(words.boundary_ids);
  materials_  = dealii::Utilities::split_string_list(words.material_ids);
  expression_ = words.expression;
}

void Region::prepare(const MeshSummary &summary)
{
  if (boundaries_.empty() && materials_.empty() && expression_.empty())
    throw EntryError(path_,
                     "",
                     "No region is given.\n"
                     "  Set at least one of: Boundary ids, Material ids, Expression. For the whole "
                     "mesh write 'set Expression = everywhere'.");
  find_boundaries(summary);
  find_materials(summary);

  if (expression_.empty())
    return;
  parsers_.clear();
  bounds_.clear();
  try
    {
      const Condition condition = Condition::read(expression_, names_of_constants(summary));
      is_everywhere_            = condition.is_everywhere;
      for (int thread = 0; thread < cpu::default_n_threads(); ++thread)
        parsers_.push_back(make_parser(condition.formula, summary));
      for (const Condition::Bound &bound : condition.bounds)
        bounds_.push_back({bound.direction,
                           bound.by[0] == '<',
                           bound.by.back() == '=',
                           make_parser(bound.number, summary)->value(summary.box.center())});
    }
  catch (const Error &error)
    {
      throw EntryError(path_, "Expression", error.what());
    }
}

bool Region::holds_at(const dealii::Point<3> &point) const
{
  if (parsers_.empty() || is_everywhere_)
    return true;
  for (const Bound &bound : bounds_)
    if (!bound.admits(point))
      return false;
  static std::atomic<std::size_t> n_threads{0};
  thread_local const std::size_t thread = n_threads++;
  // Two threads may share a parser.
  return parsers_[thread % parsers_.size()]->value(point) > 0.5;
}

void Region::throw_selects_nothing(const std::string &entity, const MeshSummary &summary) const
{
  const bool elements = entity == "element";
  std::string text    = "The region (" + describe() + ") holds no " + entity + " of the mesh.";
  if (!expression_.empty())
    text += "\n  The expression must hold at the " +
            std::string(entity == "node" ? "node" : "centre of the " + entity) +
            "; comparisons need some tolerance: 'x < xmin + tol', not 'x == xmin'.";
  if (!elements || has_boundary_ids())
    text += "\n  Boundary ids of the mesh:\n" + summary.boundary_table();
  if (elements || has_material_ids())
    text += "\n  Material ids of the mesh:\n" + summary.material_table();
  throw EntryError(path_, expression_.empty() ? "" : "Expression", text);
}

std::string Region::describe() const
{
  std::string text;
  if (!boundaries_.empty())
    text += "boundary ids " + join(boundaries_);
  if (!materials_.empty())
    text += (text.empty() ? "" : ", ") + ("material ids " + join(materials_));
  if (!expression_.empty())
    text +=
      (text.empty() ? "" : ", ") + (is_everywhere_ ? "everywhere" : "where " + shown(expression_));
  return text;
}

void Region::find_boundaries(const MeshSummary &summary)
{
  boundary_ids_.clear();
  boundary_sets_ = std::make_unique<SetSelection>();
  surfaces_of_two_sides_.clear();
  doubts_.clear();
  const MeshSets &sets = sets_of(summary);
  std::vector<NamedGroup> groups;
  std::set<unsigned int> of_sets;
  for (const MeshSets::Faces &set : sets.faces)
    {
      groups.push_back({"surface", set.name, true, set.id});
      of_sets.insert(set.id);
    }
  for (const MeshSets::Nodes &set : sets.nodes)
    groups.push_back({"set of nodes", set.name});
  for (const auto &[id, part] : summary.boundary_ids)
    if (of_sets.count(id) == 0)
      groups.push_back({"faces of no group", "", true, id});
  for (const std::string &text : boundaries_)
    {
      require_one_meaning(text, groups, path_, "Boundary ids");
      unsigned int id    = 0;
      const bool numeric = is_id(text, id);
      // Faces of no group have a number that no group has.
      bool found = numeric && of_sets.count(id) == 0 && summary.boundary_ids.count(id) > 0;
      if (found)
        {
          boundary_ids_.insert(id);
          add_doubt(sets.unread_ids);
          if (id == 0)
            add_doubt(doubt_about_0(sets));
        }
      for (const MeshSets::Faces &set : sets.faces)
        if (set.name == text || (numeric && set.id == id))
          {
            boundary_sets_->add(sets, set);
            if (set.has_two_sides)
              surfaces_of_two_sides_ += (surfaces_of_two_sides_.empty() ? "" : ", ") + text;
            found = true;
          }
      // A surface takes precedence over nodes of the same name.
      for (const MeshSets::Nodes &set : sets.nodes)
        if (!found && set.name == text)
          {
            boundary_sets_->add(sets, set);
            add_doubt(doubt_about_nodes(set));
            add_doubt(doubt_about_growth(set, summary));
            found = true;
          }
      add_doubt(doubt_about_name(text, groups));
      if (!found)
        throw EntryError(path_,
                         "Boundary ids",
                         (numeric ? "The mesh has no boundary faces with id " + text + "."
                                  : "The mesh has no boundary of the name '" + text + "'.") +
                           guess(text, groups, sets) + unread_ids_after(sets) +
                           " Boundary ids of this mesh:\n" + summary.boundary_table());
    }
}

void Region::add_doubt(const std::string &doubt)
{
  if (!doubt.empty() && std::find(doubts_.begin(), doubts_.end(), doubt) == doubts_.end())
    doubts_.push_back(doubt);
}

void Region::find_materials(const MeshSummary &summary)
{
  material_ids_.clear();
  material_sets_       = std::make_unique<SetSelection>();
  const MeshSets &sets = sets_of(summary);
  std::vector<NamedGroup> groups;
  std::set<unsigned int> of_sets;
  for (const MeshSets::Elements &set : sets.elements)
    {
      groups.push_back({"volume", set.name, true, set.id});
      of_sets.insert(set.id);
    }
  for (const auto &[id, part] : summary.material_ids)
    if (of_sets.count(id) == 0)
      groups.push_back({"elements of no group", "", true, id});
  for (const std::string &text : materials_)
    {
      require_one_meaning(text, groups, path_, "Material ids");
      unsigned int id    = 0;
      const bool numeric = is_id(text, id);
      bool found         = numeric && of_sets.count(id) == 0 && summary.material_ids.count(id) > 0;
      if (found)
        {
          material_ids_.insert(id);
          add_doubt(sets.unread_ids);
        }
      for (const MeshSets::Elements &set : sets.elements)
        if (set.name == text || (numeric && set.id == id))
          {
            material_sets_->add(sets, set);
            found = true;
          }
      add_doubt(doubt_about_name(text, groups));
      if (!found)
        throw EntryError(path_,
                         "Material ids",
                         (numeric ? "The mesh has no elements with material id " + text + "."
                                  : "The mesh has no material of the name '" + text + "'.") +
                           guess(text, groups, sets) + unread_ids_after(sets) +
                           " Material ids of this mesh:\n" + summary.material_table());
    }
}

bool Region::has_face(const DeckMesh &mesh, const DeckMesh::Face &face) const
{
  const std::uint32_t id = mesh.boundary_id(face.element, face.number);
  if (id != CoarseCells::interior && (boundaries_.empty() || boundary_ids_.count(id) > 0))
    return true;
  const std::uint32_t cell = mesh.coarse_cell(face.element);
  return !boundaries_.empty() &&
         (boundary_sets_->has_face(cell, face.number) ||
          (id != CoarseCells::interior &&
           boundary_sets_->has_face_of_nodes(mesh.elements.type, cell, face.number))) &&
         mesh.is_on_coarse_face(face.element, face.number);
}

bool Region::has_node_sets() const
{
  return boundary_sets_->has_nodes();
}

bool Region::has_node(const DeckMesh &mesh, const std::size_t element, const unsigned int v) const
{
  const unsigned int n_vertices = mesh.elements.type.n_vertices;
  return v < n_vertices ? boundary_sets_->has_node(mesh.place(element), v)
                        : boundary_sets_->has_middle(mesh.coarse_cell(element), v - n_vertices);
}

bool Region::has_element(const DeckMesh &mesh, const std::size_t element) const
{
  return materials_.empty() || material_ids_.count(mesh.material_id(element)) > 0 ||
         material_sets_->has_cell(mesh.coarse_cell(element));
}
} // namespace strut
