// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <vector>

#include "plugin/deck/picture/image.h"
#include "source/surface/vector3.h"

namespace strut::plugin
{
/// From where a drawing looks at a body in parallel projection, z upwards.
struct View
{
  double turn = 0.; ///< of the eye around z, from x, radians
  double tilt = 0.; ///< above the plane of x and y
};

/// Draws shaded faces, spots, lines and arrows into an image: the nearest one is seen at each pixel.
class Drawing
{
public:
  /// @param low, high  corners of the box that fits into the image
  Drawing(
    std::size_t width, std::size_t height, const View &view, const Point &low, const Point &high);

  enum class Surface
  {
    opaque,
    half ///< every other pixel: what is behind can be seen
  };

  /// A convex face, seen from both sides. @param corners  in their order around it
  void face(const std::array<Point, 4> &corners, const Colour &colour, Surface surface);
  /// Its edges.
  void outline(const std::array<Point, 4> &corners, const Colour &colour);

  /// A disc that always faces the eye, a little in front of its place. @param radius  in pixels
  void spot(const Point &place, double radius, const Colour &colour);

  /// @param direction  whose length on the image is `length` pixels where it is seen from the side
  /// @param is_in_front  of all that there is
  void arrow(const Point &tip,
             const Point &direction,
             double length,
             const Colour &colour,
             bool is_in_front);

  /// The directions of x, y and z with their letters, in the lower left corner.
  void axes();

  /// Pixels for a length of the body.
  double scale() const
  {
    return scale_;
  }

  /// Half as wide and high as it was drawn, so that edges are smooth.
  Image image() const
  {
    return halved(image_);
  }

private:
  /// Right and down in pixels, towards the eye in the same unit.
  Point on_image(const Point &place) const;
  void triangle(const std::array<Point, 3> &corners, const Colour &colour, Surface surface);
  void line(Point from, Point to, double width, const Colour &colour, double nearer);
  /// Where it is outside of the image: nothing.
  void dot(double x, double y, double depth, const Colour &colour);
  void put(std::size_t pixel, double depth, const Colour &colour);

  Image image_;
  std::vector<double> depths_; ///< of the pixels, larger is nearer
  std::array<Point, 3> rows_;  ///< right, up, towards the eye
  Point centre_{};
  double scale_ = 1.;
};
} // namespace strut::plugin
