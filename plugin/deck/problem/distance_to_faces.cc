// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/distance_to_faces.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <iterator>

namespace strut::plugin
{
namespace
{
using dealii::Point;
using dealii::Tensor;

double distance_to_edge(const Point<3> &point, const Point<3> &a, const Point<3> &b)
{
  const Tensor<1, 3> edge = b - a;
  const double length     = edge.norm_square();
  const double at         = length > 0. ? std::clamp((point - a) * edge / length, 0., 1.) : 0.;
  return point.distance(a + at * edge);
}
} // namespace

double distance_to_triangle(const Point<3> &point, const std::array<Point<3>, 3> &triangle)
{
  const auto &[a, b, c]     = triangle;
  const Tensor<1, 3> normal = dealii::cross_product_3d(b - a, c - a);
  // above the triangle, if the point is on the inner side of all edges
  bool is_above = normal.norm_square() > 0.;
  for (unsigned int k = 0; k < 3; ++k)
    {
      const Point<3> &from = triangle[k];
      is_above =
        is_above &&
        dealii::cross_product_3d(triangle[(k + 1) % 3] - from, point - from) * normal >= 0.;
    }
  if (is_above)
    return std::abs((point - a) * normal) / normal.norm();
  return std::min(
    {distance_to_edge(point, a, b), distance_to_edge(point, b, c), distance_to_edge(point, c, a)});
}

DistanceToFaces::DistanceToFaces(const DeckMesh &mesh,
                                 const std::vector<DeckMesh::Face> &faces,
                                 MPI_Comm communicator)
{
  std::vector<Point<3>> own; // three of each triangle
  for (const DeckMesh::Face &face : faces)
    {
      std::array<Point<3>, 4> v;
      for (unsigned int k = 0; k < 4; ++k)
        v[k] = mesh.vertex(face.element, DeckMesh::face_vertex(face.number, k));
      own.insert(own.end(), {v[0], v[1], v[3], v[0], v[3], v[2]});
    }
  for (const std::vector<Point<3>> &of_rank : dealii::Utilities::MPI::all_gather(communicator, own))
    for (std::size_t k = 0; k < of_rank.size(); k += 3)
      triangles_.push_back({{of_rank[k], of_rank[k + 1], of_rank[k + 2]}});
  std::vector<std::pair<dealii::BoundingBox<3>, std::size_t>> boxes;
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    boxes.emplace_back(dealii::BoundingBox<3>(triangles_[t]), t);
  boxes_ = pack_rtree(boxes);
}

bool DistanceToFaces::is_within(const double distance, const Point<3> &point) const
{
  dealii::BoundingBox<3> near({point, point});
  near.extend(distance);
  std::vector<std::pair<dealii::BoundingBox<3>, std::size_t>> found;
  boxes_.query(boost::geometry::index::intersects(near), std::back_inserter(found));
  return std::any_of(found.begin(), found.end(), [&](const auto &box) {
    return distance_to_triangle(point, triangles_[box.second]) <= distance;
  });
}
} // namespace strut::plugin
