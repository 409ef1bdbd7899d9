// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/file_mesh.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "source/base/equal_rows.h"
#include "source/base/parallel_loop.h"
#include "source/base/team.h"
#include "source/element/elements.h"

namespace strut
{
namespace
{
constexpr const char *flat          = "second-order surface cells";
constexpr const char *hexahedra_20  = "second-order hexahedra of 20 nodes";
constexpr const char *hexahedra_27  = "second-order hexahedra of 27 nodes";
constexpr const char *tetrahedra_10 = "second-order tetrahedra";
constexpr const char *solid         = "second-order wedges or pyramids";

constexpr const char *masses      = "point masses";
constexpr const char *springs     = "springs, dashpots or connectors";
constexpr const char *thick       = "continuum shells";
constexpr const char *cohesive    = "cohesive elements";
constexpr const char *other_cells = "cells of the unknown type ";

// VTK's types 8 and 11 are the pixel and the voxel, whose nodes are in another order. For a name of
// Abaqus, the first row with a matching prefix counts.
constexpr CellType types[] = {
  {"points", 0, 1, 15, 1, ""},
  {masses, 0, 0, 0, 0, "MASS ROTARYI"},
  {springs, 0, 0, 0, 0, "SPRING DASHPOT CONN GAP JOINTC"},
  {thick, 3, 0, 0, 0, "SC6 SC8 CSS8"},
  {cohesive, 3, 0, 0, 0, "COH"},
  {"lines", 1, 2, 1, 3, "T3D2 T2D2"},
  {"lines", 1, 3, 8, 21, "T3D3 T2D3"},
  {"lines", 1, 0, 0, 0, "B3 B2 PIPE FRAME ELBOW"},
  {flat, 2, 6, 0, 0, "STRI65 S6 M3D6 CPS6 CPE6 CAX6 SFM3D6"},
  {flat, 2, 8, 0, 0, "S8 M3D8 CPS8 CPE8 CAX8 SFM3D8"},
  {flat, 2, 9, 0, 0, "S9 M3D9"},
  {"triangles", 2, 3, 2, 5, "CPS3 CPE3 CAX3 CGAX3 CPEG3 S3 STRI3 M3D3 SFM3D3 R3D3"},
  {"quadrilaterals", 2, 4, 3, 9, "CPS4 CPE4 CAX4 CGAX4 CPEG4 S4 M3D4 SFM3D4 R3D4"},
  {"quadrilaterals", 2, 4, 0, 8, ""},
  {"tetrahedra", 3, 4, 4, 10, "C3D4"},
  {"hexahedra", 3, 8, 5, 12, "C3D8"},
  {"hexahedra", 3, 8, 0, 11, ""},
  {"wedges", 3, 6, 6, 13, "C3D6"},
  {"pyramids", 3, 5, 7, 14, "C3D5"},
  {flat, 2, 6, 9, 22, ""},
  {flat, 2, 8, 16, 23, ""},
  {flat, 2, 9, 10, 28, ""},
  {hexahedra_20, 3, 20, 17, 25, "C3D20"},
  {hexahedra_27, 3, 27, 12, 29, "C3D27"},
  {tetrahedra_10, 3, 10, 11, 24, "C3D10"},
  {solid, 3, 13, 19, 27, ""},
  {solid, 3, 14, 14, 0, ""},
  {solid, 3, 15, 18, 26, "C3D15"},
  {solid, 3, 18, 13, 0, ""},
};

template <typename Predicate>
const CellType *find(const Predicate &predicate)
{
  const auto *const found = std::find_if(std::begin(types), std::end(types), predicate);
  return found == std::end(types) ? nullptr : found;
}

/// Calls `action(Element())` with the first element that has this number of nodes, or the last one.
template <std::size_t k = 0, typename Action>
void with_nodes(const std::size_t n_nodes, const Action &action)
{
  using Element = std::tuple_element_t<k, Elements>;
  if constexpr (k + 1 < std::tuple_size_v<Elements>)
    if (n_nodes != Element::n_nodes)
      return with_nodes<k + 1>(n_nodes, action);
  action(Element());
}

/// The node of an element at a place of the order of a format.
template <typename Element>
int node_at(const int place, const MeshFormat format)
{
  return format == MeshFormat::gmsh     ? Element::gmsh_node(place)
         : format == MeshFormat::abaqus ? Element::abaqus_node(place)
                                        : Element::vtk_node(place);
}
} // namespace

bool CellType::is_useful() const
{
  const auto of = [this](const std::initializer_list<std::size_t> numbers) {
    return std::find(numbers.begin(), numbers.end(), n_nodes) != numbers.end();
  };
  return (dim == 2 && of({3, 4, 6, 8, 9})) || (dim == 3 && of({4, 8, 10, 20, 27}));
}

const CellType *type_of_gmsh(const long number)
{
  return number == 0 ? nullptr : find([&](const auto &type) { return type.gmsh == number; });
}

const CellType *type_of_vtk(const long number)
{
  return number == 0 ? nullptr : find([&](const auto &type) { return type.vtk == number; });
}

const CellType *type_of_abaqus(const std::string &name)
{
  return find([&](const auto &type) {
    std::istringstream beginnings(type.abaqus);
    for (std::string beginning; beginnings >> beginning;)
      if (name.rfind(beginning, 0) == 0)
        return true;
    return false;
  });
}

void MeshFileContents::count(const CellType *const type,
                             const std::string &name,
                             const std::size_t line,
                             const std::string &as)
{
  Cells &kind    = cells[type != nullptr ? type->kind : other_cells + name];
  kind.dim       = type != nullptr ? type->dim : 3;
  kind.is_useful = type != nullptr && type->is_useful();
  has_quadratic_cells =
    has_quadratic_cells || (kind.is_useful && kind.dim == 3 && type->is_quadratic());
  if (kind.count++ == 0 && line > 0)
    kind.first = (as.empty() ? "line " : as + " in line ") + std::to_string(line);
}

std::string MeshFileContents::list_carriers() const
{
  std::string list;
  for (const auto &[name, type] : carriers)
    list += (list.empty() ? "" : ", ") + std::to_string(type.count) + ' ' + name +
            " (first: " + type.first + ')';
  return list;
}

std::string MeshFileContents::remedies(const bool all_types) const
{
  std::string text;
  const auto has = [&](const std::string &kind) { return n_of(kind) > 0; };
  if (has(thick))
    text += " Continuum shells of eight nodes are hexahedra here if their type is C3D8.";
  if (has(cohesive))
    text +=
      " Take cohesive elements out of the file, and join both sides by common nodes, 'Merge nodes' or 'Tie "
      "touching faces'.";
  if (std::any_of(cells.begin(), cells.end(), [](const auto &kind) {
        return kind.first.rfind(other_cells, 0) == 0;
      }))
    text +=
      " If cells of an unknown type are hexahedra of eight nodes, give them the type of those: C3D8 in Abaqus, 12 "
      "in VTK, 5 in Gmsh (with Mesh.ElementOrder = 1); if they are not of the solid, take them out.";
  if (all_types && (n_useful_kinds() > 1 || has("wedges") || has("pyramids") || has(solid)))
    text +=
      " In Gmsh: without Recombine all cells are tetrahedra, with Mesh.SubdivisionAlgorithm = 2 "
      "hexahedra; Mesh.ElementOrder holds for all of them.";
  else if (!all_types &&
           (has("tetrahedra") || has("wedges") || has("pyramids") || has(hexahedra_20) ||
            has(hexahedra_27) || has(tetrahedra_10) || has(solid)))
    text += " In Gmsh: recombine the surfaces and extrude them with Layers and Recombine, or set "
            "Mesh.SubdivisionAlgorithm = 2 (all hexahedra), with Mesh.ElementOrder = 1.";
  return text;
}

bool carries_load(const CellType &type, const std::string &name_of_abaqus)
{
  return type.dim == 0 ||
         (type.dim < 3 && name_of_abaqus.front() != 'C' && name_of_abaqus.rfind("SFM", 0) != 0);
}

std::string MeshFileContents::list(const unsigned int dim, const std::string &but_for) const
{
  std::string list;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim && name != but_for)
      list += (list.empty() ? "" : ", ") + std::to_string(kind.count) + " " + name +
              (kind.first.empty() ? "" : " (first: " + kind.first + ")");
  return list;
}

std::size_t MeshFileContents::n_of(const std::string &kind) const
{
  const auto found = cells.find(kind);
  return found == cells.end() ? 0 : found->second.count;
}

std::size_t MeshFileContents::n_useful_kinds() const
{
  return static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), [](const auto &kind) {
    return kind.second.dim == 3 && kind.second.is_useful;
  }));
}

bool MeshFileContents::is_of_one_type() const
{
  return n_useful_kinds() == 1 && std::count_if(cells.begin(), cells.end(), [](const auto &kind) {
                                    return kind.second.dim == 3;
                                  }) == 1;
}

unsigned int FileMesh::add(const CellType &kind,
                           const std::array<unsigned int, most_nodes_of_cell> &nodes,
                           const MeshFormat format,
                           const std::size_t line)
{
  if (kind.dim == 2)
    {
      faces.push_back({{nodes[0], nodes[1], nodes[2], kind.n_vertices() == 3 ? none : nodes[3]}});
      lines_of_faces.push_back(line);
      return static_cast<unsigned int>(faces.size() - 1);
    }
  Cell vertices;
  vertices.fill(none);
  with_nodes(kind.n_nodes, [&](auto element) {
    using Element              = decltype(element);
    const ElementType this_one = type_of<Element>();
    if (cells.empty())
      type = this_one;
    if (type != this_one && !has_several_types)
      {
        has_several_types = true;
        middles.clear();
      }
    std::array<unsigned int, Element::n_nodes> points;
    for (int k = 0; k < Element::n_nodes; ++k)
      points[static_cast<std::size_t>(node_at<Element>(k, format))] =
        nodes[static_cast<std::size_t>(k)];
    std::copy_n(points.begin(), Element::n_vertices, vertices.begin());
    if (!has_several_types)
      middles.insert(middles.end(), points.begin() + Element::n_vertices, points.end());
  });
  cells.push_back(vertices);
  lines_of_cells.push_back(line);
  return static_cast<unsigned int>(cells.size() - 1);
}

unsigned int FileMesh::add(const CellType &kind,
                           const std::vector<LinesAhead<long>> &lines,
                           const MeshFormat format)
{
  const std::size_t first = cells.size();
  std::vector<std::size_t> begin(1, first);
  for (const LinesAhead<long> &block : lines)
    begin.push_back(begin.back() + block.n);
  cells.resize(begin.back());
  lines_of_cells.resize(begin.back());
  middles.resize(n_middles() * begin.back());
  with_nodes(kind.n_nodes, [&](auto element) {
    using Element = decltype(element);
    cpu::parallel_blocks(
      cpu::default_n_threads(), lines.size(), 1, [&](const std::size_t b, std::size_t) {
        const long *values = lines[b].values.data();
        for (std::size_t i = 0; i < lines[b].n; ++i)
          {
            const std::size_t c = begin[b] + i;
            lines_of_cells[c]   = lines[b].first + i;
            cells[c].fill(none);
            ++values; // behind the number
            for (int k = 0; k < Element::n_nodes; ++k)
              {
                const auto node = static_cast<std::size_t>(node_at<Element>(k, format));
                (node < Element::n_vertices
                   ? cells[c][node]
                   : middles[n_middles() * c + node - Element::n_vertices]) =
                  static_cast<unsigned int>(*values++);
              }
          }
      });
  });
  return static_cast<unsigned int>(first);
}

std::vector<std::uint32_t> FileMesh::first_of_equal_cells() const
{
  const auto points_of = [this](const std::size_t c) {
    Cell points = cells[c];
    std::sort(points.begin(), points.end());
    return points;
  };
  return cpu::first_equal_rows(
    cpu::default_n_threads(),
    cells.size(),
    [&](const std::size_t c) {
      std::uint64_t hash = 0;
      for (const unsigned int point : points_of(c))
        hash = (hash ^ point) * 0x9e3779b97f4a7c15u ^ hash >> 32;
      return hash * 0x9e3779b97f4a7c15u;
    },
    [&](const std::size_t a, const std::size_t b) { return points_of(a) == points_of(b); });
}
} // namespace strut
