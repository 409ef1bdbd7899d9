// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/numbers.h>

#include <cmath>

#include "plugin/deck/mesh/plate_source.h"

namespace strut
{
namespace
{
/// A plate, long in y, with two bores along z on its long axis x = 0, each inside a ring of its own
/// material.
///
/// The plate is cut into three boxes over the whole width: one around each bore, and one between
/// them. A box extends beyond its bore as far as the end of the plate. Eight sectors surround each
/// bore, bounded by its diameters and the lines to the corners of the box. Each sector is a block
/// of ring and a block beyond it.
class ConnectingRod : public PlateSource
{
public:
  ConnectingRod() : PlateSource("connecting rod", "Connecting rod")
  {
    add_parameter("Length", length_, "Length of the plate (y).");
    add_parameter("Width", width_, "Width of the plate (x).");
    add_parameter("Thickness", thickness_, "Thickness of the plate (z).");
    for (Bore *const bore : {&upper_, &lower_})
      {
        add_parameter(bore->title + " bore position",
                      bore->position,
                      "Distance of the " + bore->name +
                        " bore's axis from the lower end of the plate.");
        add_parameter(bore->title + " inner diameter",
                      bore->inner,
                      "Diameter of the " + bore->name + " bore.");
        add_parameter(bore->title + " outer diameter",
                      bore->outer,
                      "Outer diameter of the ring around the " + bore->name + " bore.");
      }
    add_parameter("Elements across",
                  across_,
                  "Number of elements across the width, even; each bore has four times as many "
                  "around it.");
    for (Bore *const bore : {&upper_, &lower_})
      {
        add_parameter("Elements " + bore->name + " ring",
                      bore->n_ring,
                      "Number of elements through the ring around the " + bore->name + " bore.");
        add_parameter("Elements " + bore->name + " field",
                      bore->n_field,
                      "Number of elements from the " + bore->name +
                        " ring to the edge of the plate.");
      }
    add_parameter("Elements between",
                  between_,
                  "Number of elements along the length, between the boxes around the bores.");
    add_parameter("Layers", layers_, "Number of elements through the thickness.");
  }

  std::string boundaries() const override
  {
    return "0: upper half of the upper bore, 1: lower half of the upper bore, "
           "2: upper half of the lower bore, 3: lower half of the lower bore, "
           "4: left (x = -width/2), 5: right (x = width/2), 6: lower end (y = 0), "
           "7: upper end (y = length), 8: z = 0, 9: z = thickness; "
           "materials 0: plate, 1: upper ring, 2: lower ring";
  }

private:
  Plate plate() const override
  {
    check();

    const unsigned int refinements = common_halvings({across_ / 2,
                                                      upper_.n_ring,
                                                      upper_.n_field,
                                                      lower_.n_ring,
                                                      lower_.n_field,
                                                      between_,
                                                      layers_});
    const unsigned int sector      = (across_ / 2) >> refinements;

    PlateBlocks blocks;
    add_box(blocks, upper_, upper_end(), sector, refinements, 1);
    add_box(blocks, lower_, lower_end(), sector, refinements, 2);
    const double bottom = lower_.position + lower_end(), top = upper_.position - upper_end();
    for (const double sign : {-1., 0.})
      {
        const double left = 0.5 * sign * width_, right = left + 0.5 * width_;
        blocks.add(BlockSide::line({left, bottom}, {right, bottom}),
                   BlockSide::line({left, top}, {right, top}),
                   sector,
                   between_ >> refinements);
      }
    require_room("Layers", blocks.n_elements(layers_ >> refinements, refinements), refinements);
    const auto boundary_of = [=](const BlockFace &face) -> dealii::types::boundary_id {
      const double y = face.center()[1];
      if (PlateBlocks::on_circle({axis(upper_), 0.5 * upper_.inner}, face))
        return y > upper_.position ? 0 : 1;
      if (PlateBlocks::on_circle({axis(lower_), 0.5 * lower_.inner}, face))
        return y > lower_.position ? 2 : 3;
      return 4 + plane_at(face.center(),
                          {{0, -0.5 * width_},
                           {0, 0.5 * width_},
                           {1, 0.},
                           {1, length_},
                           {2, 0.},
                           {2, thickness_}});
    };
    return {std::move(blocks), thickness_, layers_ >> refinements, refinements, boundary_of};
  }

  struct Bore
  {
    std::string name, title; ///< in sentences, and at the beginning of an entry
    double position, inner, outer;
    unsigned int n_ring, n_field;
  };

  static dealii::Point<2> axis(const Bore &bore)
  {
    return {0., bore.position};
  }

  // Half the height of the box around a bore: the distance to the nearer end of the plate.
  double upper_end() const
  {
    return length_ - upper_.position;
  }
  double lower_end() const
  {
    return lower_.position;
  }

  void add_box(PlateBlocks &blocks,
               const Bore &bore,
               const double half_height,
               const unsigned int sector,
               const unsigned int refinements,
               const dealii::types::material_id ring) const
  {
    const double half_width       = 0.5 * width_;
    const double pi               = dealii::numbers::PI;
    const double corner           = std::atan2(half_height, half_width);
    const dealii::Point<2> centre = axis(bore);

    // The eight points of the box and their angles, counter-clockwise.
    const std::array<dealii::Tensor<1, 2>, 9> to_box = {
      {dealii::Tensor<1, 2>({half_width, 0.}),
       dealii::Tensor<1, 2>({half_width, half_height}),
       dealii::Tensor<1, 2>({0., half_height}),
       dealii::Tensor<1, 2>({-half_width, half_height}),
       dealii::Tensor<1, 2>({-half_width, 0.}),
       dealii::Tensor<1, 2>({-half_width, -half_height}),
       dealii::Tensor<1, 2>({0., -half_height}),
       dealii::Tensor<1, 2>({half_width, -half_height}),
       dealii::Tensor<1, 2>({half_width, 0.})}};
    const std::array<double, 9> angle = {
      {0., corner, 0.5 * pi, pi - corner, pi, pi + corner, 1.5 * pi, 2. * pi - corner, 2. * pi}};
    for (unsigned int i = 0; i < 8; ++i)
      {
        const auto circle = [&](const double diameter) {
          return BlockSide::arc(centre, 0.5 * diameter, angle[i + 1], angle[i]);
        };
        blocks.add(
          circle(bore.inner), circle(bore.outer), sector, bore.n_ring >> refinements, ring);
        blocks.add(circle(bore.outer),
                   BlockSide::line(centre + to_box[i + 1], centre + to_box[i]),
                   sector,
                   bore.n_field >> refinements);
      }
  }

  void check() const
  {
    require_positive("Length", length_);
    require_positive("Width", width_);
    require_positive("Thickness", thickness_);
    require_count("Elements across", across_);
    require_count("Elements between", between_);
    require_count("Layers", layers_);
    if (across_ % 2 != 0)
      fail("Elements across",
           "found " + std::to_string(across_) + "; it must be even, for example " +
             std::to_string(across_ + 1) + ", because a mesh line runs along the long axis.");
    check(upper_, upper_end());
    check(lower_, lower_end());

    const double below = upper_.position - upper_end(), above = lower_.position + lower_end();
    if (below <= above)
      fail("Lower bore position",
           "the boxes around the bores overlap: the one around the lower bore reaches up to y = " +
             to_text(above) + " (twice its position), the one around the upper bore down to y = " +
             to_text(below) + " (as far below its axis as the end of the plate is above). " +
             "Move the bores towards the ends of the plate, or lengthen the plate.");
  }

  void check(const Bore &bore, const double half_height) const
  {
    require_positive(bore.title + " inner diameter", bore.inner);
    require_positive(bore.title + " outer diameter", bore.outer);
    require_count("Elements " + bore.name + " ring", bore.n_ring);
    require_count("Elements " + bore.name + " field", bore.n_field);
    if (bore.inner >= bore.outer)
      fail(bore.title + " outer diameter",
           "found " + to_text(bore.outer) + "; it must be greater than the inner diameter, " +
             to_text(bore.inner) + ".");
    if (bore.outer >= width_)
      fail(bore.title + " outer diameter",
           "found " + to_text(bore.outer) + "; it must be less than the width of the plate, " +
             to_text(width_) + ".");
    if (0.5 * bore.outer >= half_height)
      fail(bore.title + " bore position",
           "found " + to_text(bore.position) + ", which is " + to_text(half_height) +
             " from the nearer end of the plate; it must be more than the radius of the ring, " +
             to_text(0.5 * bore.outer) + ".");
  }

  double length_        = 350.;
  double width_         = 150.;
  double thickness_     = 25.;
  Bore upper_           = {"upper", "Upper", 275., 60., 80., 4, 12};
  Bore lower_           = {"lower", "Lower", 50., 35., 50., 4, 8};
  unsigned int across_  = 32;
  unsigned int between_ = 16;
  unsigned int layers_  = 8;
};
} // namespace

std::unique_ptr<MeshSource> make_connecting_rod()
{
  return std::make_unique<ConnectingRod>();
}
} // namespace strut
