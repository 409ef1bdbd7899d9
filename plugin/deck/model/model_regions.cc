// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/model_regions.h"

#include <algorithm>
#include <numeric>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
using Groups = std::vector<FileMesh::Group>;

/// Whether a deck means a group by its name: '#' begins a comment, ',' separates names, and a
/// number may be that of another group.
bool is_word(const std::string &name)
{
  return name.find_first_of("#,") == std::string::npos &&
         name.find_first_not_of("0123456789") != std::string::npos;
}

/// Returns the name of the group that a word of the model means; empty if it means none.
/// @param members  what the word means, in ascending order; null: not known. A set within a part or
///   an internal one may have the name of another, which a deck would mean.
std::string name_in(const Groups &groups,
                    const std::string &word,
                    const std::vector<unsigned int> *const members)
{
  const auto is_meant = [&](std::vector<unsigned int> others) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    return members == nullptr || others == *members;
  };
  const std::string tail = word.substr(word.find('.') + 1); // without the name of an instance
  for (const std::string &name : {word, tail})
    for (const FileMesh::Group &group : groups)
      if (same_letters(group.name, name) && is_word(group.name) && is_meant(group.members))
        return group.name;
  return "";
}

template <typename List>
bool has_name(const List &groups, const std::string &name)
{
  return std::any_of(groups.begin(), groups.end(), [&](const FileMesh::Group &group) {
    return same_letters(group.name, name);
  });
}

/// Appends the points of the nodes of a solid.
void append_points(const FileMesh &mesh, const std::size_t c, std::vector<unsigned int> &points)
{
  const std::size_t n_middles = mesh.n_middles();
  for (const unsigned int point : mesh.cells[c])
    if (point != FileMesh::none)
      points.push_back(point);
  for (std::size_t m = n_middles * c; m < n_middles * (c + 1); ++m)
    points.push_back(mesh.middles[m]);
}

/// Calls visit(points) with the points of the nodes of each solid.
template <typename Visit>
void for_each_solid(const FileMesh &mesh, const Visit &visit)
{
  std::vector<unsigned int> points;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    {
      points.clear();
      append_points(mesh, c, points);
      visit(points);
    }
}
} // namespace

ModelRegions::ModelRegions(const AbaqusDeck &deck)
  : deck_(deck), mesh_(assemble_abaqus(deck)), is_of_solid_(mesh_->mesh().points.size(), false)
{
  for_each_solid(mesh(), [&](const std::vector<unsigned int> &points) {
    for (const unsigned int point : points)
      is_of_solid_[point] = true;
  });
}

AbaqusDeck::Set ModelRegions::set_of(const ModelPlace &place)
{
  AbaqusDeck::Set set;
  set.line = place.line;
  for (const std::string &word : place.words)
    set.items.push_back({word, {}, place.line});
  return set;
}

std::vector<unsigned int> ModelRegions::points(const ModelPlace &place)
{
  return mesh_->points_of(set_of(place));
}

std::vector<unsigned int> ModelRegions::cells(const ModelPlace &place)
{
  std::vector<unsigned int> cells = mesh_->cells_of(set_of(place));
  std::sort(cells.begin(), cells.end());
  return cells;
}

std::vector<unsigned int> ModelRegions::numbers_of(const std::vector<unsigned int> &faces)
{
  std::vector<unsigned int> numbers;
  for (const unsigned int f : faces)
    {
      FileMesh::Face points = mesh().faces[f];
      std::sort(points.begin(), points.end());
      const auto next = static_cast<unsigned int>(number_of_face_.size());
      numbers.push_back(number_of_face_.emplace(points, next).first->second);
    }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<unsigned int> ModelRegions::numbers_of_faces(const ModelPlace &place,
                                                         const std::string &label)
{
  AbaqusDeck::Set set = set_of(place);
  for (AbaqusDeck::Item &item : set.items)
    item.face = label;
  return numbers_of(mesh_->faces_of(set));
}

std::vector<unsigned int> ModelRegions::numbers_of_faces(const std::string &surface,
                                                         const std::size_t line)
{
  const AbaqusDeck::Set *const set = find_surface(surface);
  if (set == nullptr || set->of_nodes)
    return {};
  AbaqusDeck::Set copy    = *set;
  const std::size_t dot   = surface.find('.');
  const std::string owner = dot == std::string::npos ? "" : surface.substr(0, dot + 1);
  std::vector<std::string> words;
  words.reserve(copy.items.size()); // the items refer to them
  for (AbaqusDeck::Item &item : copy.items)
    {
      words.push_back(owner + std::string(item.text));
      item.text = words.back();
      item.line = line;
    }
  return numbers_of(mesh_->faces_of(copy));
}

const AbaqusDeck::Set *ModelRegions::find_surface(const std::string &word) const
{
  const auto in = [](const AbaqusDeck::Part &part,
                     const std::string &name) -> const AbaqusDeck::Set * {
    for (const auto &[other, set] : part.surfaces)
      if (same_letters(name, other))
        return &set;
    return nullptr;
  };
  if (const AbaqusDeck::Set *const set = in(deck_.root, word))
    return set;
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos)
    return nullptr;
  for (const AbaqusDeck::Instance &instance : deck_.instances)
    if (same_letters(instance.name, word.substr(0, dot)))
      {
        if (const AbaqusDeck::Set *const set = in(instance.own, word.substr(dot + 1)))
          return set;
        for (const AbaqusDeck::Part &part : deck_.parts)
          if (same_letters(part.name, instance.part))
            return in(part, word.substr(dot + 1));
      }
  return nullptr;
}

std::vector<unsigned int> ModelRegions::points_of_elements(const ModelPlace &place)
{
  std::vector<unsigned int> points;
  for (const unsigned int c : mesh_->cells_of(set_of(place)))
    append_points(mesh(), c, points);
  return points;
}

std::vector<std::vector<unsigned int>>
ModelRegions::pieces(const std::vector<unsigned int> &points) const
{
  std::vector<std::size_t> number(mesh().points.size(), points.size()), root(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    number[points[i]] = i;
  std::iota(root.begin(), root.end(), std::size_t(0));
  const auto find = [&](std::size_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  for_each_solid(mesh(), [&](const std::vector<unsigned int> &nodes) {
    std::size_t first = points.size();
    for (const unsigned int node : nodes)
      if (const std::size_t i = number[node]; i < points.size())
        {
          if (first == points.size())
            first = i;
          root[find(i)] = find(first);
        }
  });
  std::map<std::size_t, std::vector<unsigned int>> pieces;
  for (std::size_t i = 0; i < points.size(); ++i)
    pieces[find(i)].push_back(points[i]);
  std::vector<std::vector<unsigned int>> result;
  for (auto &[first, piece] : pieces)
    result.push_back(std::move(piece));
  return result;
}

std::string ModelRegions::nodes(const ModelPlace &place, const std::string &label)
{
  const std::vector<unsigned int> members = points(place); // finds unknown words
  if (place.words.size() == 1)
    // A surface of the same name would be meant.
    if (const std::string name = name_in(mesh().node_groups, place.words[0], &members);
        !name.empty() && !has_name(mesh().face_groups, name))
      return name;
  return add("NSET", label, place.line, join(place.words, ",\n") + "\n");
}

std::string
ModelRegions::surface(const std::string &name, const std::size_t line, const std::string &label)
{
  const AbaqusDeck::Set *const known = find_surface(name);
  // The mesh has no groups of internal surfaces, and the name may be that of another.
  if (known == nullptr || !known->is_internal)
    for (const Groups *groups : {&mesh().face_groups, &mesh().node_groups})
      if (const std::string word = name_in(*groups, name, nullptr); !word.empty())
        return word;
  std::string data, type;
  for (const auto &[other, set] : deck_.root.surfaces)
    if (same_letters(name, other))
      {
        type = set.of_nodes ? ", TYPE=NODE" : "";
        for (const AbaqusDeck::Item &item : set.items)
          data += std::string(item.text) + (item.face.empty() ? "" : ", ") +
                  std::string(item.face) + "\n";
      }
  if (data.empty())
    LineReader::fail_at(line, "there is no surface " + quote(name));
  return add("SURFACE" + type, label, line, data);
}

std::string ModelRegions::faces(const ModelPlace &place,
                                const std::vector<std::string> &faces,
                                const std::string &label)
{
  AbaqusDeck::Set set = set_of(place);
  std::string data;
  for (std::size_t i = 0; i < faces.size(); ++i)
    {
      set.items[i].face = faces[i];
      data += place.words[i] + ", " + faces[i] + "\n";
    }
  mesh_->faces_of(set); // finds unknown words
  return add("SURFACE", label, place.line, data);
}

std::string ModelRegions::elements(const ModelPlace &place, const std::string &label)
{
  const std::vector<unsigned int> members = cells(place);
  if (members.empty())
    LineReader::fail_at(place.line, quote(join(place.words)) + " has no solids");
  if (members.size() == mesh().cells.size())
    return "";
  if (place.words.size() == 1)
    if (const std::string name = name_in(mesh().cell_groups, place.words[0], &members);
        !name.empty())
      return name;
  return add("ELSET", label, place.line, join(place.words, ",\n") + "\n");
}

std::string ModelRegions::add(const std::string &keyword,
                              const std::string &label,
                              const std::size_t line,
                              const std::string &data)
{
  const std::string kind  = keyword.substr(0, keyword.find(','));
  const auto [at, is_new] = names_.emplace(std::make_pair(keyword, data), "");
  if (!is_new)
    return at->second;
  const auto is_taken = [&](const std::string &name) {
    return has_name(mesh().node_groups, name) || has_name(mesh().face_groups, name) ||
           has_name(mesh().cell_groups, name) ||
           std::any_of(names_.begin(), names_.end(), [&](const auto &other) {
             return same_letters(other.second, name);
           });
  };
  std::string name = label + "-" + std::to_string(line);
  for (unsigned int i = 2; is_taken(name); ++i)
    name = label + "-" + std::to_string(line) + "-" + std::to_string(i);
  at->second = name;
  new_sets_ += "*" + kind + ", " + (kind == "SURFACE" ? "NAME" : kind) + "=" + name +
               keyword.substr(kind.size()) + "\n" + data;
  return name;
}
} // namespace strut
