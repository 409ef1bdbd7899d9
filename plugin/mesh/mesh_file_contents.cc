// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/mesh_file_contents.h"

#include <algorithm>
#include <cctype>
#include <sstream>

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

void count_vtk(MeshFileContents &contents, const int type)
{
  switch (type)
    {
      case 1:
        return count(contents, point);
      case 3:
      case 21:
        return count(contents, line);
      case 5:
        return count(contents, triangle);
      case 9:
        return count(contents, quad);
      case 10:
        return count(contents, tetrahedron);
      case 12:
        return count(contents, hexahedron);
      case 13:
        return count(contents, wedge);
      case 14:
        return count(contents, pyramid);
      case 22:
      case 23:
      case 28:
        return count(contents, second_order_surface);
      case 25:
      case 29:
        return count(contents, second_order_hexahedron);
      case 24:
      case 26:
      case 27:
        return count(contents, second_order_solid);
      default:
        return count_unknown(contents, std::to_string(type));
    }
}

void inspect_vtk(MeshFileContents &contents, std::istream &in)
{
  std::string word;
  std::getline(in, word);
  if (word.find("Version 5") != std::string::npos)
    {
      contents.objection =
        "it is of version 5 of the legacy VTK format; write version 4.2 or older "
        "(ParaView: File version 4.2 in the options of the legacy writer)";
      return;
    }
  while (in >> word)
    if (word == "BINARY")
      {
        contents.objection = "the file is binary; write it as ASCII";
        return;
      }
    else if (word == "DATASET")
      {
        in >> word;
        if (word != "UNSTRUCTURED_GRID")
          {
            contents.objection = "its data set is " + word + "; it must be UNSTRUCTURED_GRID";
            return;
          }
      }
    else if (word == "CELL_TYPES")
      {
        std::size_t n    = 0;
        bool faces_first = false;
        in >> n;
        for (std::size_t cell = 0; cell < n; ++cell)
          {
            int type = 0;
            if (!(in >> type))
              {
                contents.objection = "the file ends within its cell types; it is cut off";
                return;
              }
            faces_first = faces_first || (type == 12 && contents.n_hexahedra() < cell);
            count_vtk(contents, type);
          }
        if (faces_first && contents.list_others(3).empty())
          contents.objection = "lines or faces stand before hexahedra, and the reader takes them "
                               "only after; from Gmsh, write .msh instead";
        return;
      }
  contents.objection = "there is no CELL_TYPES section, or the file is not a legacy VTK file";
}

void inspect_ucd(MeshFileContents &contents, std::istream &in)
{
  std::string rest;
  while (in.peek() == '#')
    std::getline(in, rest);
  std::size_t n_nodes = 0, n_cells = 0;
  if (!(in >> n_nodes >> n_cells))
    {
      contents.objection =
        "it does not begin with the numbers of nodes and cells, as an AVS UCD file does";
      return;
    }
  for (std::size_t line = 0; line <= n_nodes && in; ++line)
    std::getline(in, rest);
  for (std::size_t cell = 0; cell < n_cells; ++cell)
    {
      std::string skipped, type;
      if (!(in >> skipped >> skipped >> type))
        {
          contents.objection = "the file ends within its cells; it is cut off";
          return;
        }
      std::getline(in, rest);
      if (type == "pt")
        count(contents, point);
      else if (type == "line")
        count(contents, line);
      else if (type == "tri")
        count(contents, triangle);
      else if (type == "quad")
        count(contents, quad);
      else if (type == "tet")
        count(contents, tetrahedron);
      else if (type == "hex")
        count(contents, hexahedron);
      else if (type == "prism")
        count(contents, wedge);
      else if (type == "pyr")
        count(contents, pyramid);
      else
        count_unknown(contents, type);
    }
}

/// The format, from how the text begins.
Format recognise(const std::string &text)
{
  std::istringstream in(text);
  std::string first;
  while (std::getline(in, first))
    {
      const auto start = first.find_first_not_of(" \t\r");
      if (start == std::string::npos)
        continue;
      if (first.compare(start, 5, "# vtk") == 0)
        return Format::vtk;
      if (first[start] == '$')
        return Format::msh;
      if (first[start] == '*')
        return Format::abaqus;
      if (first[start] == '#')
        continue; // comments come first in UCD
      // Five numbers: nodes, cells, and how many data each has.
      std::istringstream numbers(first);
      std::size_t number;
      unsigned int n = 0;
      while (numbers >> number)
        ++n;
      return n == 5 && numbers.eof() ? Format::ucd : Format::unknown;
    }
  return Format::unknown;
}
} // namespace

MeshFileContents MeshFileContents::inspect(const std::string &text, const Format format)
{
  MeshFileContents contents;
  contents.format = format == Format::unknown ? recognise(text) : format;
  std::istringstream in(text);
  switch (contents.format)
    {
      case Format::msh:
      case Format::abaqus:
        break; // their readers count
      case Format::ucd:
        inspect_ucd(contents, in);
        break;
      case Format::vtk:
        inspect_vtk(contents, in);
        break;
      case Format::unknown:
        break;
    }
  return contents;
}

std::string text_for_reader(const std::string &text, const Format format)
{
  if (format == Format::vtk)
    return "# vtk DataFile Version 3.0" +
           text.substr(std::min(text.find_first_of("\r\n"), text.size()));
  return text;
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
