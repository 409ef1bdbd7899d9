// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/part_data.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "plugin/base/coordinate_text.h"

namespace strut
{
namespace
{
std::string numbers_text(const std::vector<Point> &points, const int digits)
{
  std::string text;
  for (const Point &point : points)
    for (const double value : point)
      text += number_with_digits(value, digits) + ' ';
  return text;
}

/// The bytes of numbers, in their order.
template <typename Numbers>
std::string bytes_of(const std::vector<Numbers> &numbers)
{
  return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Numbers)};
}

int digits_of(const PartMarks &marks)
{
  return digits_in_box(6, marks.box.low, marks.box.high);
}
} // namespace

std::string page_of_limited_size(const std::function<std::string(std::size_t most_triangles)> &make)
{
  std::size_t most = most_part_triangles;
  while (true)
    {
      std::string html = make(most);
      if (html.size() <= most_page_bytes || most == 0)
        return html;
      most = most > 1000 ? most / 2 : 0;
    }
}

void write_surface(Json &json, const TriangleMesh &surface, const PartMarks &marks)
{
  double size = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    size = std::max(size, marks.box.high[d] - marks.box.low[d]);
  const double step = size > 0. ? size / 65535. : 1.;
  std::vector<std::uint16_t> places;
  places.reserve(3 * surface.vertices.size());
  for (const Point &vertex : surface.vertices)
    for (std::size_t d = 0; d < 3; ++d)
      places.push_back(static_cast<std::uint16_t>(
        std::clamp(std::round((vertex[d] - marks.box.low[d]) / step), 0., 65535.)));
  const bool is_small = surface.vertices.size() <= 65536;
  std::vector<std::uint16_t> small_corners;
  if (is_small)
    small_corners.reserve(3 * surface.triangles.size());
  for (const Triangle &triangle : surface.triangles)
    for (const std::uint32_t vertex : triangle)
      if (is_small)
        small_corners.push_back(static_cast<std::uint16_t>(vertex));
  json.value("step", step)
    .value("places", base64(bytes_of(places)))
    .value("bits", is_small ? 16 : 32)
    .value("corners", base64(is_small ? bytes_of(small_corners) : bytes_of(surface.triangles)));
}

void write_places(Json &json,
                  const std::string &name,
                  const std::vector<PartMarks::Supports> &supports,
                  const PartMarks &marks)
{
  json.open_list(name);
  for (const PartMarks::Supports &some : supports)
    json.open()
      .value("name", some.name)
      .value("nodes", some.n_nodes)
      .value("places", numbers_text(some.places, digits_of(marks)))
      .close();
  json.close();
}

void write_marks(Json &json, const PartMarks &marks)
{
  const int digits = digits_of(marks);
  json.value("low", numbers_text({marks.box.low}, digits))
    .value("high", numbers_text({marks.box.high}, digits));
  write_places(json, "supports", marks.supports, marks);
  json.open_list("loads");
  for (const PartMarks::Loads &loads : marks.loads)
    {
      std::vector<Point> forces, weight;
      for (const PartMarks::Arrow &arrow : loads.arrows)
        {
          std::vector<Point> &numbers = arrow.is_weight ? weight : forces;
          numbers.push_back(arrow.place);
          numbers.push_back(arrow.force);
        }
      json.open()
        .value("name", loads.name)
        .value("arrows", numbers_text(forces, digits))
        .value("weight", numbers_text(weight, digits))
        .close();
    }
  json.close();
}

std::string base64(const std::string &bytes)
{
  static constexpr char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char *out = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3, out += 4)
    {
      const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
      std::uint32_t word  = 0;
      for (std::size_t k = 0; k < 3; ++k)
        word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
      for (std::size_t k = 0; k <= n; ++k)
        out[k] = digits[word >> (18 - 6 * k) & 63];
    }
  return text;
}
} // namespace strut
