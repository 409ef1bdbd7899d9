// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <array>

#include "plugin/deck/mesh/mesh_source.h"

namespace strut
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

  std::optional<CoarseMesh> create_cells() const override
  {
    const unsigned int refinements = check();
    if (refinements > 0)
      return std::nullopt;
    CoarseMesh mesh;
    const auto [nx, ny, nz] = elements_;
    mesh.vertices.reserve((nx + 1ull) * (ny + 1) * (nz + 1));
    for (unsigned int k = 0; k <= nz; ++k)
      for (unsigned int j = 0; j <= ny; ++j)
        for (unsigned int i = 0; i <= nx; ++i)
          mesh.vertices.emplace_back(i * (size_[0] / nx), j * (size_[1] / ny), k * (size_[2] / nz));
    const auto vertex = [nx = nx, ny = ny](auto i, auto j, auto k) {
      return (k * (ny + 1) + j) * (nx + 1) + i;
    };
    for (unsigned int k = 0; k < nz; ++k)
      for (unsigned int j = 0; j < ny; ++j)
        for (unsigned int i = 0; i < nx; ++i)
          {
            CoarseMesh::Cell &cell = mesh.cells.emplace_back();
            for (unsigned int v = 0; v < 8; ++v)
              cell[v] = vertex(i + (v & 1u), j + (v >> 1 & 1u), k + (v >> 2));
          }
    connect(mesh);
    for (auto &ids : mesh.names.boundaries)
      for (unsigned int f = 0; f < 6; ++f)
        ids[f] = ids[f] == CoarseCells::interior ? CoarseCells::interior : f;
    return mesh;
  }

  unsigned int create(dealii::Triangulation<3, 3> &triangulation) const override
  {
    const unsigned int refinements              = check();
    const std::vector<unsigned int> repetitions = {elements_[0] >> refinements,
                                                   elements_[1] >> refinements,
                                                   elements_[2] >> refinements};
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation, repetitions, dealii::Point<3>(), size_, /*colorize*/ true);
    // `colorize` also numbers the octants of the box; material ids are for regions that a user
    // defines.
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
  /// Checks the parameters. @return how often the box is refined
  unsigned int check() const
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
    return refinements;
  }

  dealii::Point<3> size_                = dealii::Point<3>(32., 16., 16.);
  std::array<unsigned int, 3> elements_ = {{32, 16, 16}};
};
} // namespace

std::unique_ptr<MeshSource> make_box()
{
  return std::make_unique<Box>();
}
} // namespace strut
