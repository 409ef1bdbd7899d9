// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/numbers.h>

#include "plugin/deck/mesh/plate_source.h"

namespace strut
{
namespace
{
/// A thick-walled tube along z, its lower end in the plane z = 0.
class HollowCylinder : public PlateSource
{
public:
  HollowCylinder() : PlateSource("hollow cylinder", "Hollow cylinder")
  {
    add_parameter("Inner radius", inner_radius_, "Radius of the bore.");
    add_parameter("Outer radius", outer_radius_, "Radius of the outer surface.");
    add_parameter("Length", length_, "Length along the axis (z).");
    add_parameter("Elements radial", radial_, "Number of elements through the wall.");
    add_parameter("Elements circumferential",
                  circumferential_,
                  "Number of elements around the axis, at least 8.");
    add_parameter("Elements axial", axial_, "Number of elements along the axis.");
  }

  std::string boundaries() const override
  {
    return "0: inner surface, 1: outer surface, 2: bottom (z = 0), 3: top (z = length)";
  }

private:
  Plate plate() const override
  {
    require_positive("Inner radius", inner_radius_);
    require_positive("Outer radius", outer_radius_);
    require_positive("Length", length_);
    require_count("Elements radial", radial_);
    require_count("Elements axial", axial_);
    if (outer_radius_ <= inner_radius_)
      fail("Outer radius",
           "found " + to_text(outer_radius_) + "; it must be greater than the inner radius, " +
             to_text(inner_radius_) + ".");
    if (circumferential_ < 8)
      fail("Elements circumferential",
           "found " + std::to_string(circumferential_) +
             "; fewer than 8 elements do not make a tube.");

    // Eight cells around the axis are the coarsest mesh whose edges still resemble the circle.
    unsigned int refinements = common_halvings({radial_, circumferential_, axial_});
    while ((circumferential_ >> refinements) < 8)
      --refinements;

    const dealii::Point<2> centre;
    const auto circle = [&](const double radius) {
      return BlockSide::arc(centre, radius, 2. * dealii::numbers::PI, 0.);
    };
    PlateBlocks blocks;
    blocks.add(circle(inner_radius_),
               circle(outer_radius_),
               circumferential_ >> refinements,
               radial_ >> refinements);
    require_room("Elements axial",
                 blocks.n_elements(axial_ >> refinements, refinements),
                 refinements);
    const auto boundary_of = [=](const BlockFace &face) -> dealii::types::boundary_id {
      return PlateBlocks::on_circle({centre, inner_radius_}, face) ? 0
             : PlateBlocks::on_circle({centre, outer_radius_}, face)
               ? 1
               : 2 + plane_at(face.center(), {{2, 0.}, {2, length_}});
    };
    return {std::move(blocks), length_, axial_ >> refinements, refinements, boundary_of};
  }

  double inner_radius_          = 1.;
  double outer_radius_          = 2.;
  double length_                = 2.;
  unsigned int radial_          = 8;
  unsigned int circumferential_ = 48;
  unsigned int axial_           = 16;
};
} // namespace

std::unique_ptr<MeshSource> make_hollow_cylinder()
{
  return std::make_unique<HollowCylinder>();
}
} // namespace strut
