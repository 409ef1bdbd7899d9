// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/part/part_file.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/deflate.h"
#include "source/base/text.h"
#include "source/surface/vector3.h"

namespace strut
{
namespace
{
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "STL, PLY and ZIP are written little-endian");

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

/// Returns a mesh with changed coordinates: `change` gets each value and its axis.
template <typename Change>
TriangleMesh with_numbers(TriangleMesh mesh, const Change &change)
{
  for (Point &x : mesh.vertices)
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = change(x[d], d);
  return mesh;
}

/// Returns the coordinates of STL in millimeters: the format has no unit, and programs assume this
/// one.
TriangleMesh numbers_of_stl(const TriangleMesh &part, const Point &origin, const std::string &unit)
{
  const double scale = millimeters_of(unit);
  return with_numbers(part, [&](const double x, const std::size_t d) {
    return static_cast<double>(static_cast<float>(scale * (x - origin[d])));
  });
}

/// Returns a binary STL file, in single precision as the format requires.
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

/// Returns a binary PLY file with coordinates in double precision.
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

/// Number of digits in text files. They resolve a billionth of the part, wherever it is.
int digits_of(const TriangleMesh &mesh)
{
  const auto [low, high] = box_of(mesh);
  return digits_in_box(10, low, high);
}

TriangleMesh numbers_of_text(const TriangleMesh &part, const Point &, const std::string &)
{
  return with_numbers(part, [digits = digits_of(part)](const double x, std::size_t) {
    return std::strtod(number_with_digits(x, digits).c_str(), nullptr);
  });
}

TriangleMesh numbers_of_ply(const TriangleMesh &part, const Point &, const std::string &)
{
  return part;
}

/// Scale of files without unit that keep the lengths of the deck.
double without_unit(const std::string &)
{
  return 1.;
}

std::string obj(const TriangleMesh &mesh, const std::string &name, const std::string &unit)
{
  const int digits      = digits_of(mesh);
  const auto coordinate = [&](const double x) { return number_with_digits(x, digits); };
  std::string text      = "# strut: " + name + ", lengths in " + unit + "\n";
  for (const Point &x : mesh.vertices)
    text += "v " + coordinate(x[0]) + ' ' + coordinate(x[1]) + ' ' + coordinate(x[2]) + '\n';
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

/// Returns a file of the 3D Manufacturing Format, core specification 1.3: a ZIP archive of XML.
std::string three_mf(const TriangleMesh &mesh, const std::string &name, const std::string &unit)
{
  const int digits      = digits_of(mesh);
  const auto coordinate = [&](const double x) { return number_with_digits(x, digits); };
  std::string model =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model unit=\"" + unit +
    "\" xml:lang=\"en-US\" xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">\n"
    "<metadata name=\"Title\">" +
    for_xml(name) +
    "</metadata>\n<metadata name=\"Application\">strut</metadata>\n<resources>\n"
    "<object id=\"1\" type=\"model\" name=\"" +
    for_xml(name) + "\">\n<mesh>\n<vertices>\n";
  for (const Point &x : mesh.vertices)
    model += "<vertex x=\"" + coordinate(x[0]) + "\" y=\"" + coordinate(x[1]) + "\" z=\"" +
             coordinate(x[2]) + "\"/>\n";
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

void ZipArchive::add(const std::string &name, const std::string_view contents)
{
  constexpr std::uint16_t stored = 0, deflated = 8, version = 20, utf8 = 1 << 11;
  constexpr std::uint16_t first_date = 1 << 5 | 1; // 1 January 1980
  constexpr std::size_t most         = std::numeric_limits<std::uint32_t>::max();
  // Incompressible data become a little longer.
  if (members_.size() + directory_.size() + name.size() + 100 > most - contents.size() / 1000 ||
      contents.size() >
        most - members_.size() - directory_.size() - name.size() - 100 - contents.size() / 1000)
    throw Error("The ZIP archive would have more than 4 GB with " + name + ", of " +
                std::to_string(contents.size()) + " bytes.");
  Deflater deflate(6, Deflater::Format::raw);
  std::string_view packed = deflate(contents);
  const bool is_packed    = packed.size() < contents.size();
  if (!is_packed)
    packed = contents;

  std::string facts; // attributes of the member, the same in its header and in the directory
  put(facts, version);
  put(facts, utf8);
  put(facts, is_packed ? deflated : stored);
  put(facts, std::uint16_t(0)); // midnight
  put(facts, first_date);
  put(facts, crc32_of(contents));
  put(facts, static_cast<std::uint32_t>(packed.size()));
  put(facts, static_cast<std::uint32_t>(contents.size()));
  put(facts, static_cast<std::uint16_t>(name.size()));
  put(facts, std::uint16_t(0)); // no extra field

  directory_ += "PK\1\2";
  put(directory_, version);
  directory_ += facts;
  directory_.append(10, '\0'); // comment, disk, attributes
  put(directory_, static_cast<std::uint32_t>(members_.size()));
  directory_ += name;

  members_ += "PK\3\4" + facts + name;
  members_ += packed;
  ++n_members_;
}

std::string ZipArchive::bytes() const
{
  std::string end = "PK\5\6";
  end.append(4, '\0'); // one disk
  put(end, n_members_);
  put(end, n_members_);
  put(end, static_cast<std::uint32_t>(directory_.size()));
  put(end, static_cast<std::uint32_t>(members_.size()));
  put(end, std::uint16_t(0)); // no comment
  return members_ + directory_ + end;
}

AxisBox box_of(const TriangleMesh &mesh)
{
  AxisBox box = mesh.vertices.empty() ? AxisBox{Point{}, Point{}} : AxisBox();
  for (const Point &x : mesh.vertices)
    box.add(x);
  return box;
}

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
    {"3mf",
     "3D Manufacturing Format, which knows the unit of length",
     three_mf,
     numbers_of_text,
     millimeters_of},
    {"stl", "binary, single precision, in millimeters", stl, numbers_of_stl, millimeters_of, true},
    {"ply", "binary, double precision", ply, numbers_of_ply, without_unit},
    {"obj", "text", obj, numbers_of_text, without_unit}};
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

namespace
{
/// Units of 3MF, in millimeters.
const std::vector<std::pair<std::string, double>> &units()
{
  static const std::vector<std::pair<std::string, double>> all = {{"micron", 1e-3},
                                                                  {"millimeter", 1.},
                                                                  {"centimeter", 10.},
                                                                  {"inch", 25.4},
                                                                  {"foot", 304.8},
                                                                  {"meter", 1000.}};
  return all;
}
} // namespace

std::vector<std::string> part_units()
{
  std::vector<std::string> names;
  for (const auto &unit : units())
    names.push_back(unit.first);
  return names;
}

double millimeters_of(const std::string &unit)
{
  for (const auto &[name, millimeters] : units())
    if (name == unit)
      return millimeters;
  throw Error("There is no unit '" + unit + "' of parts. There are: " + join(part_units()) + ".");
}
} // namespace strut
