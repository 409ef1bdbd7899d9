// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/mesh_file_contents.h"

#include <string_view>
#include <vector>

#include "plugin/mesh/line_reader.h"

namespace strut::plugin
{
namespace
{
using Format = MeshFileContents::Format;

struct Kind
{
  const char *name;
  unsigned int dim;
  bool is_linear_hexahedron;
};

constexpr Kind point                   = {"points", 0, false};
constexpr Kind line                    = {"lines", 1, false};
constexpr Kind triangle                = {"triangles", 2, false};
constexpr Kind quad                    = {"quadrilaterals", 2, false};
constexpr Kind tetrahedron             = {"tetrahedra", 3, false};
constexpr Kind hexahedron              = {"hexahedra", 3, true};
constexpr Kind wedge                   = {"wedges", 3, false};
constexpr Kind pyramid                 = {"pyramids", 3, false};
constexpr Kind second_order_surface    = {"second-order surface cells", 2, false};
constexpr Kind second_order_hexahedron = {"second-order hexahedra", 3, false};
constexpr Kind second_order_solid      = {"second-order tetrahedra, wedges or pyramids", 3, false};

void count(MeshFileContents &contents, const Kind &kind, const std::size_t n = 1)
{
  auto &cells = contents.cells[kind.name];
  cells.count += n;
  cells.dim                  = kind.dim;
  cells.is_linear_hexahedron = kind.is_linear_hexahedron;
}

void count_unknown(MeshFileContents &contents, const std::string &type, const std::size_t n = 1)
{
  const std::string name = "cells of the unknown type " + type;
  count(contents, {name.c_str(), 3, false}, n);
}
} // namespace

MeshFileContents::Format recognise_format(const std::string &text)
{
  LineReader reader(text);
  while (reader.next())
    {
      if (reader.line().rfind("# vtk", 0) == 0)
        return Format::vtk;
      if (reader.line().front() == '$')
        return Format::msh;
      if (reader.line().front() == '*')
        return Format::abaqus;
      if (reader.line().front() == '#')
        continue; // comments come first in UCD
      // Five numbers: nodes, cells, and how many data each has.
      std::vector<std::string_view> words;
      split_words(reader.line(), words);
      long number = 0;
      for (const std::string_view word : words)
        if (!parse_integer(word, number))
          return Format::unknown;
      return words.size() == 5 ? Format::ucd : Format::unknown;
    }
  return Format::unknown;
}

void count_vtk(MeshFileContents &contents, const long type, const std::size_t line_number)
{
  const std::string unknown = "cells of the unknown type " + std::to_string(type);
  const Kind kind           = [&]() -> Kind {
    switch (type)
      {
        case 1:
          return point;
        case 3:
        case 21:
          return line;
        case 5:
          return triangle;
        case 8:
        case 9:
          return quad;
        case 10:
          return tetrahedron;
        case 11:
        case 12:
          return hexahedron;
        case 13:
          return wedge;
        case 14:
          return pyramid;
        case 22:
        case 23:
        case 28:
          return second_order_surface;
        case 25:
        case 29:
          return second_order_hexahedron;
        case 24:
        case 26:
        case 27:
          return second_order_solid;
        default:
          return {unknown.c_str(), 3, false};
      }
  }();
  count(contents, kind);
  std::string &first = contents.cells[kind.name].first;
  if (first.empty())
    first = "line " + std::to_string(line_number);
}

void count_gmsh(MeshFileContents &contents, const int type, const std::size_t n)
{
  switch (type)
    {
      case 15:
        return count(contents, point, n);
      case 1:
      case 8:
        return count(contents, line, n);
      case 2:
        return count(contents, triangle, n);
      case 3:
        return count(contents, quad, n);
      case 4:
        return count(contents, tetrahedron, n);
      case 5:
        return count(contents, hexahedron, n);
      case 6:
        return count(contents, wedge, n);
      case 7:
        return count(contents, pyramid, n);
      case 9:
      case 10:
      case 16:
        return count(contents, second_order_surface, n);
      case 12:
      case 17:
        return count(contents, second_order_hexahedron, n);
      case 11:
      case 13:
      case 14:
      case 18:
      case 19:
        return count(contents, second_order_solid, n);
      default:
        return count_unknown(contents, std::to_string(type), n);
    }
}

AbaqusElement abaqus_element(const std::string &type)
{
  const auto begins = [&type](const char *start) { return type.rfind(start, 0) == 0; };
  if (begins("C3D8"))
    return {3, 8, true};
  for (const auto &[start, n] :
       {std::pair("C3D20", 20u), {"C3D27", 27u}, {"C3D10", 10u}, {"C3D15", 15u}})
    if (begins(start))
      return {3, n, false};
  if (begins("C3D4"))
    return {3, 4, true};
  if (begins("C3D6"))
    return {3, 6, false};
  if (begins("C3D5"))
    return {3, 5, false};
  for (const char *start : {"CPS4", "CPE4", "S4", "M3D4", "SFM3D4", "R3D4"})
    if (begins(start))
      return {2, 4, true};
  for (const char *start : {"CPS3", "CPE3", "S3", "STRI3", "M3D3", "SFM3D3", "R3D3"})
    if (begins(start))
      return {2, 3, true};
  return {};
}

void count_abaqus(MeshFileContents &contents,
                  const std::string &type,
                  const std::size_t line_number)
{
  const auto begins         = [&type](const char *start) { return type.rfind(start, 0) == 0; };
  const AbaqusElement known = abaqus_element(type);
  const auto count_as       = [&](const Kind &kind) {
    count(contents, kind);
    std::string &first = contents.cells[kind.name].first;
    if (first.empty())
      first = type + " in line " + std::to_string(line_number);
  };
  if (known.dim == 2)
    count_as(known.n_nodes == 4 ? quad : triangle);
  else if (known.dim == 3 && known.n_nodes > 8)
    count_as(known.n_nodes == 20 || known.n_nodes == 27 ? second_order_hexahedron
                                                        : second_order_solid);
  else if (known.dim == 3)
    count_as(known.n_nodes == 8   ? hexahedron
             : known.n_nodes == 4 ? tetrahedron
             : known.n_nodes == 6 ? wedge
                                  : pyramid);
  else if (begins("T3D2") || begins("B3"))
    count_as(line);
  else
    {
      const std::string name = "cells of the unknown type " + type.substr(0, 20);
      count_as({name.c_str(), 3, false});
    }
}

std::string MeshFileContents::list_others(const unsigned int dim) const
{
  std::string list;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim && !kind.is_linear_hexahedron)
      list += (list.empty() ? "" : ", ") + std::to_string(kind.count) + " " + name +
              (kind.first.empty() ? "" : " (first: " + kind.first + ")");
  return list;
}

std::size_t MeshFileContents::n_hexahedra() const
{
  std::size_t n = 0;
  for (const auto &[name, kind] : cells)
    if (kind.is_linear_hexahedron)
      n += kind.count;
  return n;
}

std::size_t MeshFileContents::n_tetrahedra() const
{
  const auto found = cells.find(tetrahedron.name);
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

std::string to_string(const Format format)
{
  switch (format)
    {
      case Format::msh:
        return "msh";
      case Format::abaqus:
        return "abaqus";
      case Format::ucd:
        return "ucd";
      case Format::vtk:
        return "vtk";
      case Format::unknown:
        break;
    }
  return "auto";
}
} // namespace strut::plugin
