// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/plate_source.h"

namespace strut
{
namespace
{
/// An L of cubes with sides of length 5n and legs of width 2n. The upright leg is x <= 2n, the
/// lying one y <= 2n.
class LBeam : public PlateSource
{
public:
  LBeam() : PlateSource("l beam", "L beam")
  {
    add_parameter("Cells per fifth",
                  cells_per_fifth_,
                  "Number of elements along a fifth of the side of the L; each leg is two fifths "
                  "wide.");
    add_parameter("Layers", layers_, "Number of elements through the thickness (z).");
    add_parameter("Element size", element_size_, "Edge length of an element.");
  }

  std::string boundaries() const override
  {
    return "0: left (x = 0), 1: tip of the lying leg (x = side), 2: underside (y = 0), "
           "3: top of the upright leg (y = side), 4: z = 0, 5: z = thickness, "
           "6: inner side of the upright leg, 7: upper side of the lying leg";
  }

private:
  Plate plate() const override
  {
    require_count("Cells per fifth", cells_per_fifth_);
    require_count("Layers", layers_);
    require_positive("Element size", element_size_);

    const unsigned int refinements = common_halvings({cells_per_fifth_, layers_});
    const unsigned int n           = cells_per_fifth_ >> refinements;
    const unsigned int n_layers    = layers_ >> refinements;
    const double side              = 5. * cells_per_fifth_ * element_size_;
    const double thickness         = layers_ * element_size_;

    // The corner, the upright leg above it, the lying leg beside it.
    const double notch   = 0.4 * side;
    const auto add_block = [n](PlateBlocks &blocks,
                               const dealii::Point<2> &lower,
                               const dealii::Point<2> &upper,
                               const unsigned int n_x,
                               const unsigned int n_y) {
      blocks.add(BlockSide::line(lower, {upper[0], lower[1]}),
                 BlockSide::line({lower[0], upper[1]}, upper),
                 n_x * n,
                 n_y * n);
    };
    PlateBlocks blocks;
    add_block(blocks, {0., 0.}, {notch, notch}, 2, 2);
    add_block(blocks, {0., notch}, {notch, side}, 2, 3);
    add_block(blocks, {notch, 0.}, {side, notch}, 3, 2);
    require_room("Layers", blocks.n_elements(n_layers, refinements), refinements);
    const auto boundary_of = [=](const BlockFace &face) -> dealii::types::boundary_id {
      return plane_at(
        face.center(),
        {{0, 0.}, {0, side}, {1, 0.}, {1, side}, {2, 0.}, {2, thickness}, {0, notch}, {1, notch}});
    };
    return {std::move(blocks), thickness, n_layers, refinements, boundary_of};
  }

  unsigned int cells_per_fifth_ = 16;
  unsigned int layers_          = 8;
  double element_size_          = 1.;
};
} // namespace

std::unique_ptr<MeshSource> make_l_beam()
{
  return std::make_unique<LBeam>();
}
} // namespace strut
