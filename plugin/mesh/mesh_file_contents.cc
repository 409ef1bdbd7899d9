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

void inspect_msh(MeshFileContents &contents, std::istream &in)
{
  std::string word;
  double version = 0.;
  while (in >> word)
    if (word == "$MeshFormat")
      {
        int binary = 0;
        in >> version >> binary;
        if (binary != 0)
          {
            contents.objection =
              "the file is binary; write it as text (in Gmsh: -format msh41 without -bin, or "
              "Mesh.Binary = 0)";
            return;
          }
      }
    else if (word == "$Elements")
      {
        if (version >= 4.)
          {
            std::size_t n_blocks = 0, skipped;
            in >> n_blocks >> skipped >> skipped >> skipped;
            for (std::size_t block = 0; block < n_blocks && in; ++block)
              {
                std::size_t n = 0;
                int type      = 0;
                in >> skipped >> skipped >> type >> n;
                count_gmsh(contents, type, n);
                std::string rest;
                for (std::size_t line = 0; line <= n; ++line)
                  std::getline(in, rest);
              }
          }
        else
          {
            std::size_t n = 0, skipped;
            in >> n;
            for (std::size_t element = 0; element < n && in; ++element)
              {
                int type = 0;
                in >> skipped >> type;
                count_gmsh(contents, type, 1);
                std::string rest;
                std::getline(in, rest);
              }
          }
        if (!in)
          contents.objection = "the file ends within its elements; it is cut off";
        return;
      }
  if (version == 0.)
    contents.objection = "there is no $MeshFormat section, with which a Gmsh mesh begins";
  else
    contents.objection = "there is no $Elements section: the file holds no mesh, or is cut off";
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
  for (std::size_t line = 0; line <= n_nodes; ++line)
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

void count_abaqus(MeshFileContents &contents, const std::string &type)
{
  const auto begins = [&type](const char *start) { return type.rfind(start, 0) == 0; };
  if (begins("C3D8"))
    count(contents, hexahedron);
  else if (begins("C3D4"))
    count(contents, tetrahedron);
  else if (begins("C3D6"))
    count(contents, wedge);
  else if (begins("C3D5"))
    count(contents, pyramid);
  else if (begins("C3D20") || begins("C3D27"))
    count(contents, second_order_hexahedron);
  else if (begins("C3D10") || begins("C3D15"))
    count(contents, second_order_solid);
  else if (begins("CPS4") || begins("CPE4") || begins("S4"))
    count(contents, quad);
  else if (begins("CPS3") || begins("CPE3") || begins("S3") || begins("STRI3"))
    count(contents, triangle);
  else if (begins("T3D2") || begins("B3"))
    count(contents, line);
  else
    count_unknown(contents, type);
}

/// A line without spaces, in upper case.
std::string normalised(std::string line)
{
  line.erase(std::remove_if(line.begin(),
                            line.end(),
                            [](const unsigned char c) { return std::isspace(c); }),
             line.end());
  std::transform(line.begin(), line.end(), line.begin(), [](const unsigned char c) {
    return std::toupper(c);
  });
  return line;
}

/// The element type that an Abaqus keyword line announces; empty if it does not begin elements.
std::string announced_type(const std::string &keyword_line)
{
  const std::string line = normalised(keyword_line);
  const auto at          = line.find(",TYPE=");
  if (line.rfind("*ELEMENT,", 0) != 0 || at == std::string::npos)
    return "";
  return line.substr(at + 6, line.find(',', at + 6) - at - 6);
}

void inspect_abaqus(MeshFileContents &contents, std::istream &in)
{
  // Elements are the data lines under *ELEMENT; a line that ends with a comma goes on in the next.
  std::string line, type;
  bool continued = false;
  while (std::getline(in, line))
    {
      line = normalised(line);
      if (line.empty() || line.rfind("**", 0) == 0)
        continue;
      if (line[0] == '*')
        {
          type      = announced_type(line);
          continued = false;
        }
      else if (!type.empty())
        {
          if (!continued)
            count_abaqus(contents, type);
          continued = line.back() == ',';
        }
    }
  if (contents.cells.empty())
    contents.objection = "there is no *ELEMENT section with a TYPE";
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
        inspect_msh(contents, in);
        break;
      case Format::abaqus:
        inspect_abaqus(contents, in);
        break;
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
  if (format != Format::abaqus)
    return text;

  std::istringstream in(text);
  std::string result, line;
  bool skipping = false;
  while (std::getline(in, line))
    {
      if (!line.empty() && line[0] == '*')
        {
          const std::string type = announced_type(line);
          skipping               = !type.empty() && type.rfind("C3D8", 0) != 0;
        }
      if (!skipping)
        result += line + "\n";
    }
  return result;
}

std::string MeshFileContents::list_others(const unsigned int dim) const
{
  std::string list;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim && !kind.is_linear_hexahedron)
      list += (list.empty() ? "" : ", ") + std::to_string(kind.count) + " " + name;
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
