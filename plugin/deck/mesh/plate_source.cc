// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/plate_source.h"

#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold_lib.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <cmath>

#include "plugin/deck/mesh/bodies.h"

namespace strut
{
BlockSide BlockSide::line(const dealii::Point<2> &from, const dealii::Point<2> &to)
{
  return {from, to, {}, 0., 0., 0.};
}

BlockSide BlockSide::arc(const dealii::Point<2> &centre,
                         const double radius,
                         const double from_angle,
                         const double to_angle)
{
  BlockSide side{{}, {}, centre, radius, from_angle, to_angle};
  side.from = side.at(0.);
  side.to   = side.at(1.);
  return side;
}

dealii::Point<2> BlockSide::at(const double s) const
{
  if (radius == 0.)
    return from + s * (to - from);
  const double angle = from_angle + s * (to_angle - from_angle);
  return centre + radius * dealii::Tensor<1, 2>({std::cos(angle), std::sin(angle)});
}

void PlateBlocks::add(const BlockSide &near,
                      const BlockSide &far,
                      const unsigned int along,
                      const unsigned int across,
                      const dealii::types::material_id material)
{
  const auto point = [&](const unsigned int i, const unsigned int j) {
    const double s = double(i) / along, t = double(j) / across;
    return near.at(s) + t * (far.at(s) - near.at(s));
  };
  const bool concentric =
    near.radius > 0. && far.radius > 0. && near.centre.distance(far.centre) == 0.;
  for (unsigned int j = 0; j < across; ++j)
    for (unsigned int i = 0; i < along; ++i)
      quads_.push_back({{{point(i, j), point(i + 1, j), point(i, j + 1), point(i + 1, j + 1)}},
                        material,
                        concentric ? axis_number(near.centre) : dealii::numbers::flat_manifold_id});
  for (const BlockSide &side : {near, far})
    if (side.radius > 0.)
      circles_.insert({axis_number(side.centre), side.radius});
}

dealii::types::manifold_id PlateBlocks::axis_number(const dealii::Point<2> &centre)
{
  const auto known = std::find(axes_.begin(), axes_.end(), centre);
  if (known != axes_.end())
    return known - axes_.begin();
  axes_.push_back(centre);
  return axes_.size() - 1;
}

BlockFace BlockFace::of(const dealii::TriaAccessor<2, 3, 3> &face)
{
  BlockFace result;
  for (unsigned int v = 0; v < 4; ++v)
    result.vertices[v] = face.vertex(v);
  return result;
}

dealii::Point<3> BlockFace::center() const
{
  dealii::Point<3> sum;
  for (const dealii::Point<3> &vertex : vertices)
    sum += vertex;
  return sum / 4.;
}

bool PlateBlocks::on_circle(const Circle &circle, const BlockFace &face)
{
  return std::all_of(face.vertices.begin(),
                     face.vertices.end(),
                     [&](const dealii::Point<3> &point) {
                       const double distance =
                         std::hypot(point[0] - circle.centre[0], point[1] - circle.centre[1]);
                       return std::abs(distance - circle.radius) < 1e-6 * circle.radius;
                     });
}

double PlateBlocks::n_elements(const unsigned int layers, const unsigned int refinements) const
{
  return std::pow(8., refinements) * layers * static_cast<double>(quads_.size());
}

CoarseMesh PlateBlocks::extrude(const double thickness, const unsigned int layers) const
{
  // 1. Join the blocks in the plane. The tolerance is smaller than any sensible element.
  double extent = 0.;
  std::vector<dealii::Point<3>> corners;
  for (const Quad &quad : quads_)
    for (const auto &corner : quad.corners)
      {
        extent = std::max(extent, corner.norm());
        corners.emplace_back(corner[0], corner[1], 0.);
      }
  std::vector<dealii::Point<3>> points; // each point once
  std::vector<unsigned int> number = first_of_coincident(corners, 1e-9 * extent);
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (number[i] == i)
      {
        number[i] = static_cast<unsigned int>(points.size());
        points.push_back(corners[i]);
      }
    // The number of the earlier point.
    else
      number[i] = number[number[i]];

  // 2. Extrude.
  const auto n_plane = static_cast<unsigned int>(points.size());
  CoarseMesh mesh;
  for (unsigned int layer = 0; layer <= layers; ++layer)
    for (const auto &point : points)
      mesh.vertices.emplace_back(point[0], point[1], thickness * layer / layers);
  for (unsigned int layer = 0; layer < layers; ++layer)
    for (unsigned int c = 0; c < quads_.size(); ++c)
      {
        CoarseMesh::Cell &cell = mesh.cells.emplace_back();
        for (unsigned int v = 0; v < 8; ++v)
          cell[v] = number[4 * c + v % 4] + (layer + v / 4) * n_plane;
        mesh.names.materials.push_back(quads_[c].material);
      }
  return mesh;
}

void PlateBlocks::create(dealii::Triangulation<3, 3> &triangulation,
                         const double thickness,
                         const unsigned int layers) const
{
  const CoarseMesh mesh = extrude(thickness, layers);
  std::vector<dealii::CellData<3>> cells(mesh.cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c)
    {
      cells[c].vertices.assign(mesh.cells[c].begin(), mesh.cells[c].end());
      cells[c].material_id = mesh.names.materials[c];
    }
  dealii::GridTools::consistently_order_cells(cells);
  triangulation.create_triangulation(mesh.vertices, cells, dealii::SubCellData());

  // Rings are cylindrical manifolds throughout; elsewhere only the faces on a circle are. deal.II's
  // transfinite interpolation would search all coarse cells for each new vertex, which takes
  // minutes for a million elements. The coarse mesh is blended already.
  for (const auto &cell : triangulation.cell_iterators())
    {
      const auto ring = quads_[cell->index() % quads_.size()].ring;
      if (ring != dealii::numbers::flat_manifold_id)
        cell->set_all_manifold_ids(ring);
    }
  if (axes_.empty())
    return;
  for (const auto &cell : triangulation.cell_iterators())
    for (const auto &face : cell->face_iterators())
      for (const auto &[axis, radius] : circles_)
        if (on_circle({axes_[axis], radius}, BlockFace::of(*face)))
          face->set_all_manifold_ids(axis);
  for (unsigned int axis = 0; axis < axes_.size(); ++axis)
    triangulation.set_manifold(
      axis,
      dealii::CylindricalManifold<3>(dealii::Tensor<1, 3>({0., 0., 1.}),
                                     dealii::Point<3>(axes_[axis][0], axes_[axis][1], 0.)));
}

unsigned int PlateSource::create(dealii::Triangulation<3, 3> &triangulation) const
{
  const Plate made = plate();
  made.blocks.create(triangulation, made.thickness, made.layers);
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
      if (face->at_boundary())
        face->set_boundary_id(made.boundary_of(BlockFace::of(*face)));
  return made.refinements;
}

std::optional<CoarseMesh> PlateSource::create_cells() const
{
  const Plate made = plate();
  if (made.refinements > 0)
    return std::nullopt;
  CoarseMesh mesh = made.blocks.extrude(made.thickness, made.layers);
  connect(mesh);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < 6; ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        mesh.names.boundaries[c][f] = made.boundary_of({mesh.around(c, f)});
  return mesh;
}

dealii::types::boundary_id plane_at(const dealii::Point<3> &point,
                                    const std::initializer_list<AxisPlane> planes)
{
  const auto distance = [&](const AxisPlane &plane) {
    return std::abs(point[plane.axis] - plane.position);
  };
  const auto *const nearest =
    std::min_element(planes.begin(), planes.end(), [&](const AxisPlane &a, const AxisPlane &b) {
      return distance(a) < distance(b);
    });
  return static_cast<dealii::types::boundary_id>(nearest - planes.begin());
}
} // namespace strut
