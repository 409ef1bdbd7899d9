// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/picture/drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "plugin/base/deflate.h"

namespace strut
{
namespace
{
constexpr double margin = 0.88; ///< fraction of the image that the body fills
constexpr Colour white{{1.f, 1.f, 1.f}};

/// Fraction of its colour that a face shows, from its normal in the coordinates of the eye. The
/// light comes from the upper left.
float brightness(const Point &normal)
{
  return static_cast<float>(0.42 + 0.5 * std::max(0., dot(normal, Point{{-0.31, 0.52, 0.79}})) +
                            0.14 * std::max(0., dot(normal, Point{{0.8, -0.2, 0.56}})));
}

Point unit(const Point &a)
{
  const double size = length(a);
  return size > 0. ? 1. / size * a : a;
}

/// Twice the area of the triangle a b x, positive on one side of a b.
double side(const Point &a, const Point &b, const double x, const double y)
{
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/// Bytes of a number in big-endian order, as PNG requires.
std::string four_bytes(const std::size_t number)
{
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(number >> shift & 0xff));
  return bytes;
}

std::string chunk(const std::string &type, const std::string_view data)
{
  const std::string checked = type + std::string(data);
  return four_bytes(data.size()) + checked + four_bytes(crc32_of(checked));
}
} // namespace

std::string to_png(const Image &image)
{
  constexpr char eight_bits = 8, red_green_blue = 2, no_filter = 0;
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y)
    {
      rows.push_back(no_filter); // areas of one colour compress better without a filter
      for (std::size_t x = 0; x < image.width; ++x)
        for (const float value : image.pixels[y * image.width + x])
          rows.push_back(static_cast<char>(
            static_cast<unsigned char>(255.f * std::clamp(value, 0.f, 1.f) + 0.5f)));
    }
  Deflater deflate(6);
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR",
               four_bytes(image.width) + four_bytes(image.height) +
                 std::string{eight_bits, red_green_blue, 0, 0, 0}) +
         chunk("IDAT", deflate(rows)) + chunk("IEND", "");
}

Drawing::Drawing(const std::size_t width,
                 const std::size_t height,
                 const View &view,
                 const Point &low,
                 const Point &high)
  : image_(2 * width, 2 * height, white)
  , depths_(image_.pixels.size(), std::numeric_limits<double>::lowest())
  , centre_(0.5 * (low + high))
{
  const double ca = std::cos(view.turn), sa = std::sin(view.turn), ce = std::cos(view.tilt),
               se = std::sin(view.tilt);
  rows_           = {{{{-sa, ca, 0.}}, {{-se * ca, -se * sa, ce}}, {{ce * ca, ce * sa, se}}}};
  double half[2]  = {0., 0.}; // half the size of the box in the view
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t d = 0; d < 3; ++d)
      half[row] += 0.5 * std::abs(rows_[row][d]) * (high[d] - low[d]);
  scale_ = margin * 0.5 *
           std::min(static_cast<double>(image_.width) / std::max(half[0], 1e-300),
                    static_cast<double>(image_.height) / std::max(half[1], 1e-300));
}

Point Drawing::on_image(const Point &place) const
{
  const Point x = place - centre_;
  return {{0.5 * static_cast<double>(image_.width) + scale_ * strut::dot(rows_[0], x),
           0.5 * static_cast<double>(image_.height) - scale_ * strut::dot(rows_[1], x),
           scale_ * strut::dot(rows_[2], x)}};
}

void Drawing::dot(const double x, const double y, const double depth, const Colour &colour)
{
  if (!(x >= 0. && y >= 0. && x < static_cast<double>(image_.width) &&
        y < static_cast<double>(image_.height)))
    return;
  put(static_cast<std::size_t>(y) * image_.width + static_cast<std::size_t>(x), depth, colour);
}

void Drawing::put(const std::size_t pixel, const double depth, const Colour &colour)
{
  if (depth <= depths_[pixel])
    return;
  depths_[pixel]       = depth;
  image_.pixels[pixel] = colour;
}

void Drawing::triangle(const std::array<Point, 3> &corners,
                       const Colour &colour,
                       const Surface surface)
{
  const auto &[a, b, c] = corners;
  const double whole    = side(a, b, c[0], c[1]);
  // Seen edge-on.
  if (whole == 0.)
    return;
  const double top    = std::max(0., std::floor(std::min({a[1], b[1], c[1]}))),
               bottom = std::min(static_cast<double>(image_.height) - 1.,
                                 std::ceil(std::max({a[1], b[1], c[1]})));
  for (double y = top; y <= bottom; y += 1.)
    {
      // Pixels from left to right have barycentric coordinates, first + step * x at their centres,
      // of at least 0.
      double left = 0., right = static_cast<double>(image_.width) - 1., depth = 0., deeper = 0.;
      for (std::size_t i = 0; i < 3; ++i)
        {
          const Point &from = corners[(i + 1) % 3], &to = corners[(i + 2) % 3];
          const double first = side(from, to, 0.5, y + 0.5) / whole,
                       step  = (from[1] - to[1]) / whole;
          if (step > 0.)
            left = std::max(left, std::ceil(-first / step));
          else if (step < 0.)
            right = std::min(right, std::floor(-first / step));
          else if (first < 0.)
            right = -1.;
          depth += first * corners[i][2];
          deeper += step * corners[i][2];
        }
      if (!(left <= right))
        continue;
      const auto row = static_cast<std::size_t>(y);
      for (auto x = static_cast<std::size_t>(left); x <= static_cast<std::size_t>(right); ++x)
        if (surface == Surface::opaque || (x + row) % 2 == 0)
          put(row * image_.width + x, depth + deeper * static_cast<double>(x), colour);
    }
}

void Drawing::face(const std::array<Point, 4> &corners, const Colour &colour, const Surface surface)
{
  // As for a plane face.
  const Point normal = unit(cross(corners[2] - corners[0], corners[3] - corners[1]));
  Point seen{
    {strut::dot(rows_[0], normal), strut::dot(rows_[1], normal), strut::dot(rows_[2], normal)}};
  if (seen[2] < 0.)
    seen = -1. * seen;
  Colour shaded = colour;
  for (float &value : shaded)
    value *= brightness(seen);
  std::array<Point, 4> places;
  std::transform(corners.begin(), corners.end(), places.begin(), [&](const Point &x) {
    return on_image(x);
  });
  triangle({{places[0], places[1], places[2]}}, shaded, surface);
  triangle({{places[0], places[2], places[3]}}, shaded, surface);
}

void Drawing::line(
  const Point from, const Point to, const double width, const Colour &colour, const double nearer)
{
  const Point along = to - from;
  const auto n =
    static_cast<std::size_t>(std::ceil(std::max(std::abs(along[0]), std::abs(along[1])))) + 1;
  const double reach = 0.5 * (width - 1.);
  for (std::size_t i = 0; i <= n; ++i)
    {
      const Point x = from + (static_cast<double>(i) / static_cast<double>(n)) * along;
      for (double v = -reach; v <= reach; v += 1.)
        for (double u = -reach; u <= reach; u += 1.)
          dot(x[0] + u, x[1] + v, x[2] + nearer, colour);
    }
}

void Drawing::outline(const std::array<Point, 4> &corners, const Colour &colour)
{
  for (std::size_t i = 0; i < 4; ++i)
    line(on_image(corners[i]), on_image(corners[(i + 1) % 4]), 1., colour, 1.);
}

void Drawing::spot(const Point &place, const double radius, const Colour &colour)
{
  const Point x      = on_image(place);
  const double reach = 2. * radius;
  for (double v = -reach; v <= reach; v += 1.)
    for (double u = -reach; u <= reach; u += 1.)
      if (const double r = std::hypot(u, v) / reach; r <= 1.)
        {
          Colour of_pixel = colour;
          for (float &value : of_pixel)
            value *= r > 0.72 ? 0.6f : 1.f;
          dot(x[0] + u, x[1] + v, x[2] + reach, of_pixel);
        }
}

void Drawing::arrow(const Point &tip,
                    const Point &direction,
                    const double length,
                    const Colour &colour,
                    const bool is_in_front)
{
  const Point end = on_image(tip);
  const Point u   = unit(direction);
  // Direction on the image.
  const Point along{{strut::dot(rows_[0], u), -strut::dot(rows_[1], u), strut::dot(rows_[2], u)}};
  const double whole = 2. * length, head = std::min(0.4 * whole, 26.);
  // An arrow tip inside the body remains visible.
  const double nearer = is_in_front ? 1e100 : 12.;
  line(end - whole * along, end - 0.8 * head * along, 5., colour, nearer);
  for (double s = 0.; s <= head; s += 0.5) // the head widens from its tip
    {
      const Point x       = end - s * along;
      const double radius = 0.36 * s + 0.5;
      for (double v = -radius; v <= radius; v += 1.)
        for (double r = -radius; r <= radius; r += 1.)
          if (r * r + v * v <= radius * radius)
            dot(x[0] + r, x[1] + v, x[2] + nearer + radius, colour);
    }
}

void Drawing::axes()
{
  constexpr double length     = 70.;
  constexpr Colour colours[3] = {{{0.80f, 0.16f, 0.14f}},
                                 {{0.13f, 0.55f, 0.13f}},
                                 {{0.15f, 0.30f, 0.80f}}};
  // Strokes of the letters in a box of 10 x 14, y downwards.
  const std::vector<std::array<double, 4>> letters[3] = {
    {{{0., 0., 10., 14.}}, {{10., 0., 0., 14.}}},
    {{{0., 0., 5., 7.}}, {{10., 0., 5., 7.}}, {{5., 7., 5., 14.}}},
    {{{0., 0., 10., 0.}}, {{10., 0., 0., 14.}}, {{0., 14., 10., 14.}}}};
  const double in_front = 1e300;
  const Point begin{{1.6 * length, static_cast<double>(image_.height) - 1.6 * length, 0.}};
  for (std::size_t d = 0; d < 3; ++d)
    {
      const Point along{{rows_[0][d], -rows_[1][d], 0.}};
      line(begin, begin + length * along, 4., colours[d], in_front);
      const Point corner = begin + 1.3 * length * along - Point{{5., 7., 0.}};
      for (const auto &[x, y, u, v] : letters[d])
        line(corner + Point{{x, y, 0.}}, corner + Point{{u, v, 0.}}, 3., colours[d], in_front);
    }
}

Image Drawing::image() const
{
  Image half(image_.width / 2, image_.height / 2, {});
  for (std::size_t y = 0; y < half.height; ++y)
    for (std::size_t x = 0; x < half.width; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        {
          const auto at = [&](const std::size_t i, const std::size_t j) {
            return image_.pixels[(2 * y + j) * image_.width + 2 * x + i][c];
          };
          half.pixels[y * half.width + x][c] = 0.25f * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1));
        }
  return half;
}
} // namespace strut
