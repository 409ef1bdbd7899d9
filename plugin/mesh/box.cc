// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <array>

#include "plugin/mesh/halving.h"
#include "plugin/mesh/mesh_source.h"

namespace strut::plugin
{
namespace
{
/// A box with its lower corner in the origin.
class Box : public MeshSource
{
public:
  Box() : MeshSource("box", "Box")
  {
    add_parameter("Size", size_, "Lengths of the edges along x, y and z.");
    add_parameter("Elements", elements_, "Numbers of elements along x, y and z.");
  }

  unsigned int create(dealii::Triangulation<3, 3> &triangulation) const override
  {
    for (unsigned int d = 0; d < 3; ++d)
      {
        require_positive("Size", size_[d]);
        require_count("Elements", elements_[d]);
      }
    const unsigned int refinements = common_halvings({elements_[0], elements_[1], elements_[2]});
    require_room("Elements",
                 static_cast<double>(elements_[0]) * elements_[1] * elements_[2],
                 refinements);
    const std::vector<unsigned int> repetitions = {elements_[0] >> refinements,
                                                   elements_[1] >> refinements,
                                                   elements_[2] >> refinements};
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation, repetitions, dealii::Point<3>(), size_, /*colorize*/ true);
    // colorize numbers the octants of the box too; material ids are for regions that somebody means
    for (const auto &cell : triangulation.active_cell_iterators())
      cell->set_material_id(0);
    return refinements;
  }

  std::string boundaries() const override
  {
    return "0: left (x = 0), 1: right (x = size), 2: front (y = 0), 3: back (y = size), "
           "4: bottom (z = 0), 5: top (z = size)";
  }

private:
  dealii::Point<3> size_                = dealii::Point<3>(32., 16., 16.);
  std::array<unsigned int, 3> elements_ = {{32, 16, 16}};
};
} // namespace

std::unique_ptr<MeshSource> make_box()
{
  return std::make_unique<Box>();
}
} // namespace strut::plugin
