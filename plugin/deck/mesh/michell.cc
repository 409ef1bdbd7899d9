// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>

#include "plugin/deck/mesh/plate_source.h"

namespace strut
{
namespace
{
/// The plate [0, L] x [-H/2, H/2] without the half disk of radius R around the origin.
///
///     +-------+---------+  y = H/2
///     |  2  / |         |
///     |   / 1 |    5    |
///     )-------+---------+  y = 0: a node line from the arc to the middle of the far side
///     |   \ 0 |    4    |
///     |  3  \ |         |
///     +-------+---------+
///           x = far end of the blocks around the arc
class Michell : public PlateSource
{
public:
  Michell() : PlateSource("michell", "Michell")
  {
    add_parameter("Length", length_, "Length L of the plate (x).");
    add_parameter("Height", height_, "Height H of the plate (y).");
    add_parameter("Radius",
                  radius_,
                  "Radius R of the half circle cut out at the middle of the left side.");
    add_parameter("Thickness", thickness_, "Thickness of the plate (z).");
    add_parameter("Elements along arc",
                  along_arc_,
                  "Number of elements along the half circle, a multiple of 4; the far side "
                  "has half as many.");
    add_parameter("Elements from arc",
                  from_arc_,
                  "Number of elements from the arc to the square around it, of side H.");
    add_parameter("Elements to far side",
                  to_far_side_,
                  "Number of elements from this square to the far side.");
    add_parameter("Layers", layers_, "Number of elements through the thickness.");
  }

  std::string boundaries() const override
  {
    return "0: half circle, 1: far side (x = length), 2: left side above and below the half circle "
           "(x = 0), 3: bottom (y = -height/2), 4: top (y = height/2), 5: z = 0, 6: z = thickness";
  }

private:
  Plate plate() const override
  {
    check();

    const unsigned int refinements =
      common_halvings({along_arc_ / 4, from_arc_, to_far_side_, layers_});
    const unsigned int sector   = (along_arc_ / 4) >> refinements;
    const unsigned int from_arc = from_arc_ >> refinements;
    const unsigned int to_far   = to_far_side_ >> refinements;

    // The blocks around the arc end in a square, or halfway if the plate is too short for one.
    const double half   = 0.5 * height_;
    const double middle = std::min(half, 0.5 * (radius_ + length_));
    const double split  = std::atan2(half, middle);
    const double right  = 0.5 * dealii::numbers::PI;

    const dealii::Point<2> origin;
    const auto add_sector = [&](const double from,
                                const double to,
                                const dealii::Point<2> &from_corner,
                                const dealii::Point<2> &to_corner,
                                PlateBlocks &blocks) {
      blocks.add(BlockSide::arc(origin, radius_, to, from),
                 BlockSide::line(to_corner, from_corner),
                 sector,
                 from_arc);
    };
    const dealii::Point<2> lower_left(0., -half), lower(middle, -half), axis(middle, 0.),
      upper(middle, half), upper_left(0., half), end(length_, 0.), end_lower(length_, -half),
      end_upper(length_, half);

    PlateBlocks blocks;
    add_sector(-split, 0., lower, axis, blocks);
    add_sector(0., split, axis, upper, blocks);
    add_sector(split, right, upper, upper_left, blocks);
    add_sector(-right, -split, lower_left, lower, blocks);
    blocks.add(BlockSide::line(axis, lower), BlockSide::line(end, end_lower), sector, to_far);
    blocks.add(BlockSide::line(upper, axis), BlockSide::line(end_upper, end), sector, to_far);
    require_room("Layers", blocks.n_elements(layers_ >> refinements, refinements), refinements);
    const auto boundary_of = [=](const BlockFace &face) -> dealii::types::boundary_id {
      if (PlateBlocks::on_circle({origin, radius_}, face))
        return dealii::types::boundary_id(0);
      return 1 + plane_at(face.center(),
                          {{0, length_}, {0, 0.}, {1, -half}, {1, half}, {2, 0.}, {2, thickness_}});
    };
    return {std::move(blocks), thickness_, layers_ >> refinements, refinements, boundary_of};
  }

  void check() const
  {
    require_positive("Length", length_);
    require_positive("Height", height_);
    require_positive("Radius", radius_);
    require_positive("Thickness", thickness_);
    require_count("Elements along arc", along_arc_);
    require_count("Elements from arc", from_arc_);
    require_count("Elements to far side", to_far_side_);
    require_count("Layers", layers_);
    if (2. * radius_ >= height_)
      fail("Radius",
           "found " + to_text(radius_) + "; the half circle must be narrower than the plate: " +
             "less than half the height, " + to_text(0.5 * height_) + ".");
    if (radius_ >= length_)
      fail("Radius",
           "found " + to_text(radius_) + "; the half circle must end before the far side: " +
             "less than the length, " + to_text(length_) + ".");
    if (along_arc_ % 4 != 0)
      {
        const unsigned int below = std::max(along_arc_ / 4 * 4, 4u);
        fail("Elements along arc",
             "found " + std::to_string(along_arc_) + "; it must be a multiple of 4, for example " +
               std::to_string(below) + " or " + std::to_string(below + 4) + ".");
      }
  }

  double length_            = 5.;
  double height_            = 4.;
  double radius_            = 1.;
  double thickness_         = 0.5;
  unsigned int along_arc_   = 96;
  unsigned int from_arc_    = 28;
  unsigned int to_far_side_ = 44;
  unsigned int layers_      = 8;
};
} // namespace

std::unique_ptr<MeshSource> make_michell()
{
  return std::make_unique<Michell>();
}
} // namespace strut
