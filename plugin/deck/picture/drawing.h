// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "source/surface/vector3.h"

namespace strut
{
/// Red, green and blue, from 0 to 1.
using Colour = std::array<float, 3>;

/// An image as rows of pixels, from top to bottom.
struct Image
{
  Image(std::size_t width, std::size_t height, const Colour &background)
    : width(width), height(height), pixels(width * height, background)
  {}

  std::size_t width, height;
  std::vector<Colour> pixels; ///< `[height][width]`
};

/// Returns a PNG file (ISO 15948) with eight bits for each colour.
std::string to_png(const Image &image);

/// The direction of view on a body, in parallel projection with z upwards.
struct View
{
  double turn = 0.; ///< angle of the eye around z, from x, radians
  double tilt = 0.; ///< angle above the plane of x and y, radians
};

/// Draws shaded faces, spots, lines and arrows into an image. Each pixel shows the nearest one.
class Drawing
{
public:
  /// @param low, high  corners of the box that fits into the image
  Drawing(
    std::size_t width, std::size_t height, const View &view, const Point &low, const Point &high);

  enum class Surface
  {
    opaque,
    half ///< every other pixel, so that objects behind are visible
  };

  /// Draws a convex face, visible from both sides. @param corners  in their order around the face
  void face(const std::array<Point, 4> &corners, const Colour &colour, Surface surface);
  /// Draws the edges of a face.
  void outline(const std::array<Point, 4> &corners, const Colour &colour);

  /// Draws a disc that always faces the eye, slightly in front of its place. @param radius  in
  /// pixels
  void spot(const Point &place, double radius, const Colour &colour);

  /// Draws an arrow.
  /// @param direction  its length on the image is `length` pixels if it is seen from the side
  /// @param is_in_front  whether the arrow is in front of everything
  void arrow(const Point &tip,
             const Point &direction,
             double length,
             const Colour &colour,
             bool is_in_front);

  /// Draws the directions of x, y and z with their letters, in the lower left corner.
  void axes();

  /// Pixels per length of the body.
  double scale() const
  {
    return scale_;
  }

  /// The image at half the width and height of the drawing, so that edges are smooth.
  Image image() const;

private:
  /// Coordinates to the right and down in pixels, and towards the eye in the same unit.
  Point on_image(const Point &place) const;
  void triangle(const std::array<Point, 3> &corners, const Colour &colour, Surface surface);
  void line(Point from, Point to, double width, const Colour &colour, double nearer);
  /// Draws a dot; outside the image, nothing.
  void dot(double x, double y, double depth, const Colour &colour);
  void put(std::size_t pixel, double depth, const Colour &colour);

  Image image_;
  std::vector<double> depths_; ///< depths of the pixels, larger is nearer
  std::array<Point, 3> rows_;  ///< right, up, towards the eye
  Point centre_{};
  double scale_ = 1.;
};
} // namespace strut
