// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/part/part_file.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "plugin/base/zip_archive.h"
#include "source/surface/vector3.h"

namespace strut::plugin
{
namespace
{
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "STL and PLY are written little-endian");

template <typename Number>
void put(std::string &bytes, const Number number)
{
  char place[sizeof(Number)];
  std::memcpy(place, &number, sizeof(Number));
  bytes.append(place, sizeof(Number));
}

void put_place(std::string &bytes, const Point &x)
{
  for (const double coordinate : x)
    put(bytes, static_cast<float>(coordinate));
}

/// Binary; single precision is what the format has.
std::string stl(const TriangleMesh &mesh, const std::string &name, const std::string &)
{
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("STL cannot count so many triangles. 3mf can.");
  std::string bytes = ("strut: " + name).substr(0, 80);
  bytes.resize(80, ' ');
  put(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle &triangle : mesh.triangles)
    {
      const Point area  = area_vector(mesh, triangle);
      const double size = length(area);
      put_place(bytes, size > 0. ? (1. / size) * area : Point{});
      for (const std::uint32_t v : triangle)
        put_place(bytes, mesh.vertices[v]);
      bytes.append(2, '\0');
    }
  return bytes;
}

/// Binary, coordinates in double precision.
std::string ply(const TriangleMesh &mesh, const std::string &name, const std::string &unit)
{
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment strut: " + name +
                      ", lengths in " + unit + "\nelement vertex " +
                      std::to_string(mesh.vertices.size()) +
                      "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                      std::to_string(mesh.triangles.size()) +
                      "\nproperty list uchar uint vertex_indices\nend_header\n";
  for (const Point &x : mesh.vertices)
    for (const double coordinate : x)
      put(bytes, coordinate);
  for (const Triangle &triangle : mesh.triangles)
    {
      put(bytes, std::uint8_t(3));
      for (const std::uint32_t v : triangle)
        put(bytes, v);
    }
  return bytes;
}

/// With as many digits as place a vertex to a billionth of the part.
std::string digits(const double number)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", number);
  return text;
}

std::string obj(const TriangleMesh &mesh, const std::string &name, const std::string &unit)
{
  std::string text = "# strut: " + name + ", lengths in " + unit + "\n";
  for (const Point &x : mesh.vertices)
    text += "v " + digits(x[0]) + ' ' + digits(x[1]) + ' ' + digits(x[2]) + '\n';
  for (const Triangle &triangle : mesh.triangles)
    text += "f " + std::to_string(triangle[0] + 1) + ' ' + std::to_string(triangle[1] + 1) + ' ' +
            std::to_string(triangle[2] + 1) + '\n';
  return text;
}

std::string for_xml(const std::string &text)
{
  std::string result;
  for (const char c : text)
    result += c == '&'   ? "&amp;"
              : c == '<' ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

/// 3D Manufacturing Format, core specification 1.3: a ZIP archive of XML.
std::string three_mf(const TriangleMesh &mesh, const std::string &name, const std::string &unit)
{
  std::string model =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model unit=\"" + unit +
    "\" xml:lang=\"en-US\" xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">\n"
    "<metadata name=\"Title\">" +
    for_xml(name) +
    "</metadata>\n<metadata name=\"Application\">strut</metadata>\n<resources>\n"
    "<object id=\"1\" type=\"model\" name=\"" +
    for_xml(name) + "\">\n<mesh>\n<vertices>\n";
  for (const Point &x : mesh.vertices)
    model += "<vertex x=\"" + digits(x[0]) + "\" y=\"" + digits(x[1]) + "\" z=\"" + digits(x[2]) +
             "\"/>\n";
  model += "</vertices>\n<triangles>\n";
  for (const Triangle &triangle : mesh.triangles)
    model += "<triangle v1=\"" + std::to_string(triangle[0]) + "\" v2=\"" +
             std::to_string(triangle[1]) + "\" v3=\"" + std::to_string(triangle[2]) + "\"/>\n";
  model +=
    "</triangles>\n</mesh>\n</object>\n</resources>\n<build>\n<item objectid=\"1\"/>\n</build>\n"
    "</model>\n";

  ZipArchive archive;
  archive.add(
    "[Content_Types].xml",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n"
    "<Default Extension=\"rels\" "
    "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\n"
    "<Default Extension=\"model\" "
    "ContentType=\"application/vnd.ms-package.3dmanufacturing-3dmodel+xml\"/>\n</Types>\n");
  archive.add(
    "_rels/.rels",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\n"
    "<Relationship Target=\"/3D/3dmodel.model\" Id=\"rel0\" "
    "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/>\n"
    "</Relationships>\n");
  archive.add("3D/3dmodel.model", model);
  return archive.bytes();
}
} // namespace

std::string printable(std::string text)
{
  for (char &c : text)
    if (c < 32 || c > 126)
      c = '?';
  return text;
}

const std::vector<PartFormat> &part_formats()
{
  static const std::vector<PartFormat> formats = {
    {"3mf", "3D Manufacturing Format, which knows the unit of length", three_mf},
    {"stl", "binary, single precision", stl},
    {"ply", "binary, double precision", ply},
    {"obj", "text", obj}};
  return formats;
}

const PartFormat &find_part_format(const std::string &name)
{
  std::string known;
  for (const PartFormat &format : part_formats())
    if (format.name == name)
      return format;
    else
      add_to_list(known, format.name);
  throw Error("There is no format '" + name + "' of parts. There are: " + known + ".");
}

const std::vector<std::string> &part_units()
{
  static const std::vector<std::string> units = {
    "micron", "millimeter", "centimeter", "inch", "foot", "meter"};
  return units;
}
} // namespace strut::plugin
