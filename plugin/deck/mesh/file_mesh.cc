// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/file_mesh.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "source/base/bucket_sort.h"
#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
constexpr const char *flat      = "second-order surface cells";
constexpr const char *hexahedra = "second-order hexahedra";
constexpr const char *solid     = "second-order tetrahedra, wedges or pyramids";

constexpr const char *masses      = "point masses";
constexpr const char *springs     = "springs, dashpots or connectors";
constexpr const char *thick       = "continuum shells";
constexpr const char *cohesive    = "cohesive elements";
constexpr const char *other_cells = "cells of the unknown type ";

// VTK's types 8 and 11 are the pixel and the voxel, whose nodes are in another order. For a name of
// Abaqus, the first row with a matching prefix counts.
constexpr CellType types[] = {
  {"points", 0, 1, 15, 1, ""},
  {masses, 3, 0, 0, 0, "MASS ROTARYI"},
  {springs, 3, 0, 0, 0, "SPRING DASHPOT CONN GAP JOINTC"},
  {thick, 3, 0, 0, 0, "SC6 SC8 CSS8"},
  {cohesive, 3, 0, 0, 0, "COH"},
  {"lines", 1, 2, 1, 3, "T3D2 T2D2"},
  {"lines", 1, 3, 8, 21, "T3D3 T2D3"},
  {"lines", 1, 0, 0, 0, "B3 B2 PIPE FRAME ELBOW"},
  {flat, 2, 0, 0, 0, "STRI65 S6 S8 S9 M3D6 M3D8 M3D9 CPS6 CPS8 CPE6 CPE8 CAX6 CAX8 SFM3D6 SFM3D8"},
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
  {hexahedra, 3, 20, 17, 25, "C3D20"},
  {hexahedra, 3, 27, 12, 29, "C3D27"},
  {solid, 3, 10, 11, 24, "C3D10"},
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
} // namespace

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
  Cells &kind = cells[type != nullptr ? type->kind : other_cells + name];
  kind.dim    = type != nullptr ? type->dim : 3;
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

std::string MeshFileContents::remedies() const
{
  std::string text;
  const auto has = [&](const std::string &kind) { return n_of(kind) > 0; };
  if (has(masses))
    text +=
      " Take point masses out of the file: a mass can be a solid region of hexahedra, with a 'Mass ratio' in "
      "'Materials'.";
  if (has(springs))
    text +=
      " Take springs and the like out of the file: springs to the ground are 'Springs' of a deck.";
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
  if (has("tetrahedra") || has("wedges") || has("pyramids") || has(hexahedra) || has(solid))
    text += " In Gmsh: recombine the surfaces and extrude them with Layers and Recombine, or set "
            "Mesh.SubdivisionAlgorithm = 2 (all hexahedra), with Mesh.ElementOrder = 1.";
  return text;
}

bool carries_load(const CellType &type, const std::string &name_of_abaqus)
{
  return (type.dim == 1 || type.dim == 2) && name_of_abaqus.front() != 'C' &&
         name_of_abaqus.rfind("SFM", 0) != 0;
}

std::string MeshFileContents::list_others(const unsigned int dim) const
{
  std::string list;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim && name != "hexahedra")
      list += (list.empty() ? "" : ", ") + std::to_string(kind.count) + " " + name +
              (kind.first.empty() ? "" : " (first: " + kind.first + ")");
  return list;
}

std::size_t MeshFileContents::n_of(const std::string &kind) const
{
  const auto found = cells.find(kind);
  return found == cells.end() ? 0 : found->second.count;
}

std::size_t MeshFileContents::n_cells(const unsigned int dim) const
{
  std::size_t n = 0;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim)
      n += kind.count;
  return n;
}

unsigned int FileMesh::add(const CellType &type,
                           const std::array<unsigned int, 8> &nodes,
                           const std::size_t line)
{
  Cell points;
  points.fill(none);
  std::copy_n(nodes.begin(), type.n_nodes, points.begin());
  if (type.dim == 2)
    {
      faces.push_back({{points[0], points[1], points[2], points[3]}});
      lines_of_faces.push_back(line);
      return static_cast<unsigned int>(faces.size() - 1);
    }
  if (type.n_nodes == 8)
    {
      std::swap(points[2], points[3]);
      std::swap(points[6], points[7]);
    }
  cells.push_back(points);
  lines_of_cells.push_back(line);
  return static_cast<unsigned int>(cells.size() - 1);
}

std::vector<std::pair<FileMesh::Cell, unsigned int>> FileMesh::cells_by_points() const
{
  std::vector<std::pair<Cell, unsigned int>> sorted(cells.size());
  const int n_threads = cpu::default_n_threads();
  cpu::parallel_for(n_threads, cells.size(), [&](const std::size_t c) {
    sorted[c] = {cells[c], static_cast<unsigned int>(c)};
    std::sort(sorted[c].first.begin(), sorted[c].first.end());
  });
  cpu::bucket_sort(
    n_threads, points.size(), [](const auto &cell) { return cell.first[0]; }, sorted);
  return sorted;
}
} // namespace strut
