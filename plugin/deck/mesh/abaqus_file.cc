// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "plugin/deck/mesh/abaqus_deck.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
using Set     = AbaqusDeck::Set;
using Members = std::vector<unsigned int>;
enum Kind : unsigned int
{
  nodes    = 0,
  elements = 1
};

/// An element with the points that its instance gives it.
struct Placed
{
  const AbaqusDeck::Element *element = nullptr;
  const CellType *type               = nullptr; ///< null: not in the mesh
  std::size_t first_point            = 0;       ///< in the points of all elements
  unsigned int index = FileMesh::none;          ///< number of the cell or the face in the mesh

  /// Whether it is an element of this dimension: 3 for a cell of the mesh, 2 for a face.
  bool has_dim(const unsigned int dim) const
  {
    return type != nullptr && type->dim == dim;
  }
  std::size_t n_nodes() const
  {
    return type != nullptr ? type->n_nodes : 0;
  }
};

/// The members and sets that numbers and names stand for in the assembly (or a flat file), or in
/// one instance.
struct Scope
{
  std::string name; ///< name of the instance
  std::vector<const AbaqusDeck::Part *> parts;
  std::unordered_map<long, unsigned int> of_id[2];
  std::map<std::string, std::vector<const Set *>, LessIgnoringCase> sets[2];
  std::map<std::string, Members, LessIgnoringCase> found[2];
};

/// Nodes of the faces S1 to S6 of a hexahedron and S1 to S4 of a tetrahedron. They are Abaqus'
/// numbers less one; the normals point outwards.
constexpr unsigned int abaqus_hexahedron_faces[6][4] = {
  {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
constexpr unsigned int abaqus_tetrahedron_faces[4][3] = {{0, 2, 1},
                                                         {0, 1, 3},
                                                         {1, 2, 3},
                                                         {0, 3, 2}};

class Assembler : public AbaqusMesh
{
public:
  explicit Assembler(const AbaqusDeck &deck) : deck_(deck)
  {
    mesh_.contents         = deck_.contents;
    mesh_.node_groups_grow = true;
    add_scope("", {&deck_.root}, {});
    for (const AbaqusDeck::Instance &instance : deck_.instances)
      add_instance(instance);
    if (deck_.instances.empty())
      for (const AbaqusDeck::Part &part : deck_.parts)
        add_scope(part.name, {&part}, {}, part.line);
    make_groups();
    if (n_elements_like_sets_ > 0)
      mesh_.remarks.push_back(
        "NOTE: numbers in surfaces that are those of an element and names of a set as well are the elements: " +
        std::to_string(n_elements_like_sets_) + ", first in line " +
        std::to_string(first_element_like_a_set_) + ". If the sets are meant, rename them");
    for (const auto &[name, variant] : deck_.variants)
      mesh_.remarks.push_back("NOTE: " + std::to_string(variant.count) + " elements of type " +
                              name + " (first: line " + std::to_string(variant.first) +
                              ") are computed as " + variant.type->abaqus +
                              ": quadratic displacements with full integration");
  }

  FileMesh &mesh() override
  {
    return mesh_;
  }

  Members points_of(const Set &set) override
  {
    return members_of(nodes, set);
  }

  Members cells_of(const Set &set) override
  {
    Members cells;
    for (const unsigned int e : members_of(elements, set))
      if (placed_[e].has_dim(3))
        cells.push_back(placed_[e].index);
    return cells;
  }

  Members faces_of(const Set &set) override
  {
    return resolve_surface(scopes_.front(), set);
  }

private:
  /// Returns the members of a set outside of all parts. The set need not be in a list.
  Members members_of(const Kind kind, const Set &set)
  {
    Members members;
    add_members(scopes_.front(), kind, set, members);
    sort(members);
    return members;
  }

  void add_instance(const AbaqusDeck::Instance &instance)
  {
    const auto part =
      std::find_if(deck_.parts.begin(), deck_.parts.end(), [&](const AbaqusDeck::Part &candidate) {
        return same(candidate.name, instance.part);
      });
    if (part == deck_.parts.end())
      LineReader::fail_at(instance.line, "there is no part " + quote(instance.part));
    if (instance.placement.size() > 1)
      {
        const std::vector<double> &turn = instance.placement[1];
        if (turn[0] == turn[3] && turn[1] == turn[4] && turn[2] == turn[5])
          LineReader::fail_at(instance.line, "the two points of the axis of rotation are the same");
      }
    add_scope(instance.name, {&*part, &instance.own}, instance.placement, instance.line);
  }

  static bool same(const std::string &a, const std::string &b)
  {
    return !LessIgnoringCase()(a, b) && !LessIgnoringCase()(b, a);
  }

  void add_scope(const std::string &name,
                 const std::vector<const AbaqusDeck::Part *> &parts,
                 const std::vector<std::vector<double>> &placement,
                 const std::size_t line = 0)
  {
    for (const Scope &scope : scopes_)
      if (!name.empty() && same(scope.name, name))
        LineReader::fail_at(line, "the name " + quote(name) + " is taken");
    scopes_.emplace_back();
    Scope &scope = scopes_.back();
    scope.name   = name;
    scope.parts  = parts;
    for (const AbaqusDeck::Part *part : parts)
      {
        for (const auto &[id, location] : part->nodes)
          {
            if (!scope.of_id[nodes].emplace(id, mesh_.points.size()).second)
              LineReader::fail_at(line,
                                  "node " + std::to_string(id) +
                                    " of the instance is also in its part");
            mesh_.points.push_back(place_in_instance(location, placement));
          }
        for (const auto &[set_name, set] : part->node_sets)
          scope.sets[nodes][set_name].push_back(&set);
        for (const auto &[set_name, set] : part->element_sets)
          scope.sets[elements][set_name].push_back(&set);
      }
    for (const AbaqusDeck::Part *part : parts)
      for (const AbaqusDeck::Element &element : part->elements)
        add_element(scope, *part, element);
  }

  void add_element(Scope &scope, const AbaqusDeck::Part &part, const AbaqusDeck::Element &element)
  {
    Placed placed;
    placed.element     = &element;
    placed.first_point = points_of_elements_.size();
    // Shells with nodes between vertices are no faces of linear cells.
    if (element.type != nullptr && (element.type->dim == 3 || !element.type->is_quadratic() ||
                                    mesh_.contents.has_quadratic_cells))
      placed.type = element.type;
    std::array<unsigned int, most_nodes_of_cell> points{};
    for (std::size_t i = 0; i < placed.n_nodes(); ++i)
      {
        const long id    = part.nodes_of_elements[element.first_node + i];
        const auto found = scope.of_id[nodes].find(id);
        if (found == scope.of_id[nodes].end())
          LineReader::fail_at(element.line, "there is no node " + std::to_string(id));
        points[i] = found->second;
        points_of_elements_.push_back(found->second);
      }
    if (placed.type != nullptr)
      placed.index = mesh_.add(*placed.type, points, MeshFormat::abaqus, element.line);
    const auto none  = scope.of_id[nodes].end();
    const auto end_0 = scope.of_id[nodes].find(element.ends[0]);
    const auto end_1 = scope.of_id[nodes].find(element.ends[1]);
    if (element.ends[0] != element.ends[1] && end_0 != none && end_1 != none)
      mesh_.lines.push_back({{{end_0->second, end_1->second}}, element.line});
    if (!scope.of_id[elements].emplace(element.id, placed_.size()).second)
      LineReader::fail_at(element.line,
                          "element " + std::to_string(element.id) +
                            " of the instance is also in its part");
    placed_.push_back(placed);
  }

  void add_face(const FileMesh::Face &face, const std::size_t line)
  {
    mesh_.faces.push_back(face);
    mesh_.lines_of_faces.push_back(line);
  }

  Scope *find_scope(const std::string_view name)
  {
    for (Scope &scope : scopes_)
      if (!scope.name.empty() && same(scope.name, std::string(name)))
        return &scope;
    return nullptr;
  }

  static void append(Members &members, const Members &others)
  {
    members.insert(members.end(), others.begin(), others.end());
  }

  static void sort(Members &members)
  {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
  }

  /// Returns the members of all sets with this name.
  const Members &
  resolve(Scope &scope, const Kind kind, const std::string &name, const std::size_t line)
  {
    const auto [at, is_new] = scope.found[kind].emplace(name, Members());
    // Sets that contain each other add nothing to each other.
    if (!is_new)
      return at->second;
    if (++depth_ > 100)
      LineReader::fail_at(line, "sets within sets, a hundred deep");
    Members members;
    for (const Set *set : scope.sets[kind].at(name))
      add_members(scope, kind, *set, members);
    --depth_;
    sort(members);
    at->second = std::move(members);
    return at->second;
  }

  void add_members(Scope &scope, const Kind kind, const Set &set, Members &members)
  {
    Scope *target = &scope;
    if (!set.instance.empty() && scope.name.empty())
      {
        target = find_scope(set.instance);
        if (target == nullptr)
          LineReader::fail_at(set.line, "there is no instance " + quote(set.instance));
      }
    const auto &of_id = target->of_id[kind];
    for (const long id : set.ids)
      members.push_back(of_id.at(id));
    for (const auto &[first, last, step] : set.ranges)
      for (const auto &[id, member] : of_id)
        if (id >= first && id <= last && (id - first) % step == 0)
          members.push_back(member);
    // The name of a set, even if it is also a number.
    for (const AbaqusDeck::Item &item : set.items)
      if (set.of_elements)
        for (const unsigned int e :
             target->sets[elements].count(std::string(item.text)) > 0
               ? resolve(*target, elements, std::string(item.text), item.line)
               : resolve_item(*target, elements, item))
          for (std::size_t i = 0; i < placed_[e].n_nodes(); ++i)
            members.push_back(points_of_elements_[placed_[e].first_point + i]);
      else
        append(members, resolve_item(*target, kind, item));
  }

  /// Returns the members that an entry of a set means. A number that is a member is not taken as a
  /// set's name.
  Members resolve_item(Scope &scope, const Kind kind, const AbaqusDeck::Item &item)
  {
    const std::string name(item.text);
    const char *entity = kind == nodes ? "node" : "element";
    const bool is_set  = scope.sets[kind].count(name) > 0;
    long id            = 0;
    if (parse_integer(item.text, id))
      {
        if (const auto found = scope.of_id[kind].find(id); found != scope.of_id[kind].end())
          {
            // In a surface, the number may mean the element or the set.
            if (is_set && !item.face.empty() && n_elements_like_sets_++ == 0)
              first_element_like_a_set_ = item.line;
            return {found->second};
          }
        if (!is_set)
          LineReader::fail_at(item.line, std::string("there is no ") + entity + " " + name);
      }
    if (is_set)
      return resolve(scope, kind, name, item.line);
    if (const std::size_t dot = name.find('.'); scope.name.empty() && dot != std::string::npos)
      if (Scope *instance = find_scope(std::string_view(name).substr(0, dot)))
        return resolve_item(*instance, kind, {item.text.substr(dot + 1), {}, item.line});
    LineReader::fail_at(item.line,
                        quote(item.text) + " is neither the number of " +
                          (kind == nodes ? "a node" : "an element") + " nor a set of " + entity +
                          "s" + (scope.name.empty() ? "" : " of " + quote(scope.name)));
  }

  /// Returns the faces of a *SURFACE, or its nodes if it is made of nodes.
  Members resolve_surface(Scope &scope, const Set &set)
  {
    Members members;
    for (const AbaqusDeck::Item &item : set.items)
      {
        if (set.of_nodes)
          {
            append(members, resolve_item(scope, nodes, item));
            continue;
          }
        const std::string label = upper_case(item.face);
        for (const unsigned int e : resolve_item(scope, elements, item))
          members.push_back(face_of(placed_[e], label, item));
      }
    sort(members);
    return members;
  }

  unsigned int face_of(const Placed &placed, const std::string &label, const AbaqusDeck::Item &item)
  {
    if (placed.has_dim(2))
      {
        if (label != "SNEG")
          return placed.index;
        FileMesh::Face face = mesh_.faces[placed.index];
        std::reverse(face.begin(),
                     face.begin() + static_cast<std::ptrdiff_t>(placed.type->n_vertices()));
        add_face(face, item.line);
        return static_cast<unsigned int>(mesh_.faces.size() - 1);
      }
    const unsigned int n_faces = placed.type == nullptr           ? 0
                                 : placed.type->n_vertices() == 8 ? 6
                                                                  : 4;
    if (n_faces > 0 && label.empty())
      LineReader::fail_at(
        item.line,
        "a surface of " + quote(item.text) +
          " without its faces: in Abaqus that is what is free of them, which strut does not look "
          "for. Write the faces, S1 to S" +
          std::to_string(n_faces) + ", or select the place by an 'Expression' of the deck");
    const bool is_face = label.size() == 2 && label[0] == 'S' && label[1] >= '1' &&
                         label[1] < static_cast<char>('1' + n_faces);
    if (n_faces == 0 || !is_face)
      LineReader::fail_at(item.line,
                          "the face " + quote(item.face) + " of element " +
                            std::to_string(placed.element->id) +
                            (n_faces == 0 ? ", which strut has no use for"
                                          : "; its faces are S1 to S" + std::to_string(n_faces)));
    const auto f = static_cast<std::size_t>(label[1] - '1');
    FileMesh::Face face;
    const unsigned int *const points = points_of_elements_.data() + placed.first_point;
    for (unsigned int i = 0; i < 4; ++i)
      face[i] = n_faces == 6 ? points[abaqus_hexahedron_faces[f][i]]
                : i < 3      ? points[abaqus_tetrahedron_faces[f][i]]
                             : FileMesh::none;
    add_face(face, item.line);
    return static_cast<unsigned int>(mesh_.faces.size() - 1);
  }

  void make_groups()
  {
    // (1) Count the scopes that use each name: a name that occurs once needs no prefix of an
    // instance.
    std::map<std::string, std::set<const Scope *>, LessIgnoringCase> users;
    for (const Scope &scope : scopes_)
      for (const AbaqusDeck::Part *part : scope.parts)
        for (const auto *sets : {&part->element_sets, &part->node_sets, &part->surfaces})
          for (const auto &[name, set] : *sets)
            if (!set.is_internal)
              users[name].insert(&scope);
    for (const Scope &scope : scopes_)
      users[scope.name].insert(&scope);

    // (2) Make the groups, in the order of the file.
    for (Scope &scope : scopes_)
      for (const AbaqusDeck::Part *part : scope.parts)
        {
          const auto full_name = [&](const std::string &name) {
            return users[name].size() > 1 && !scope.name.empty() ? scope.name + "." + name : name;
          };
          std::set<std::string, LessIgnoringCase> done[2];
          for (const auto &[name, set] : part->element_sets)
            if (!set.is_internal && done[elements].insert(name).second)
              {
                Members cells, faces;
                for (const unsigned int e : resolve(scope, elements, name, set.line))
                  if (placed_[e].index != FileMesh::none)
                    (placed_[e].has_dim(3) ? cells : faces).push_back(placed_[e].index);
                add_group(mesh_.cell_groups, full_name(name), cells);
                add_group(mesh_.face_groups, full_name(name), faces);
                if (cells.empty() && faces.empty())
                  mesh_.names_of_nothing[full_name(name)] =
                    "it is a set of none but elements that strut leaves out, trusses, beams or masses say";
              }
            // Called for its error message.
            else
              resolve(scope, elements, name, set.line);
          for (const auto &[name, set] : part->surfaces)
            if (!set.is_internal)
              add_group(set.of_nodes ? mesh_.node_groups : mesh_.face_groups,
                        full_name(name),
                        resolve_surface(scope, set));
          for (const auto &[name, set] : part->node_sets)
            if (!set.is_internal && done[nodes].insert(name).second)
              add_group(mesh_.node_groups, full_name(name), resolve(scope, nodes, name, set.line));
        }

    // (3) The names of instances are names of their solids.
    if (deck_.instances.size() > 1)
      for (const Scope &scope : scopes_)
        if (!scope.name.empty())
          {
            Members cells;
            for (const auto &[id, e] : scope.of_id[elements])
              if (placed_[e].has_dim(3))
                cells.push_back(placed_[e].index);
            sort(cells);
            add_group(mesh_.cell_groups, scope.name, cells);
          }
    number(mesh_.cell_groups, "EB");
    number(mesh_.face_groups, "SS");
  }

  static void
  add_group(std::vector<FileMesh::Group> &groups, const std::string &name, const Members &members)
  {
    if (members.empty())
      return;
    for (FileMesh::Group &group : groups)
      if (same(group.name, name))
        {
          append(group.members, members);
          return;
        }
    groups.push_back({0, name, members});
  }

  /// Numbers the groups: a name such as EB7 or 7 gives the number 7. Other groups get 1, 2, ...
  static void number(std::vector<FileMesh::Group> &groups, const std::string &prefix)
  {
    std::set<unsigned int> taken;
    std::vector<bool> has_number(groups.size(), false);
    for (const std::string &beginning : {prefix, std::string()})
      for (std::size_t g = 0; g < groups.size(); ++g)
        {
          long id                 = 0;
          const std::string &name = groups[g].name;
          const std::size_t n     = beginning.size();
          if (has_number[g] || name.size() <= n || !same(name.substr(0, n), beginning) ||
              !parse_integer(std::string_view(name).substr(n), id) || id < 0 || id >= 1000000000 ||
              !taken.insert(static_cast<unsigned int>(id)).second)
            continue;
          has_number[g] = true;
          groups[g].id  = static_cast<unsigned int>(id);
        }
    unsigned int next = 1;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (!has_number[g])
        {
          while (!taken.insert(next).second)
            ++next;
          groups[g].id = next;
        }
  }

  const AbaqusDeck &deck_;
  FileMesh mesh_;
  std::deque<Scope> scopes_; ///< the assembly, then its instances
  std::vector<Placed> placed_;
  std::vector<unsigned int> points_of_elements_; ///< points of one element after the other
  unsigned int depth_                   = 0;
  std::size_t n_elements_like_sets_     = 0;
  std::size_t first_element_like_a_set_ = 0; ///< line in the file
};
} // namespace

dealii::Point<3> place_in_instance(const std::array<double, 3> &location,
                                   const std::vector<std::vector<double>> &placement)
{
  dealii::Point<3> p(location[0], location[1], location[2]);
  if (!placement.empty())
    for (unsigned int d = 0; d < 3; ++d)
      p[d] += placement[0][d];
  if (placement.size() < 2)
    return p;
  // Rodrigues' formula
  const std::vector<double> &turn = placement[1];
  const dealii::Point<3> a(turn[0], turn[1], turn[2]), b(turn[3], turn[4], turn[5]);
  const dealii::Tensor<1, 3> axis = (b - a) / (b - a).norm();
  const double angle              = turn[6] * std::acos(-1.) / 180.;
  // Quarter turns shall leave no rounding errors.
  const auto clean = [](const double x) { return std::abs(x) < 1e-15 ? 0. : x; };
  const double c = clean(std::cos(angle)), s = clean(std::sin(angle));
  const dealii::Tensor<1, 3> r = p - a;
  return a + c * r + s * dealii::cross_product_3d(axis, r) + (1. - c) * (axis * r) * axis;
}

std::unique_ptr<AbaqusMesh> assemble_abaqus(const AbaqusDeck &deck)
{
  return std::make_unique<Assembler>(deck);
}

FileMesh read_abaqus(const std::string &text)
{
  const AbaqusDeck deck = parse_abaqus(text);
  return std::move(assemble_abaqus(deck)->mesh());
}
} // namespace strut
