// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/distance_to_faces.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <iterator>

#include "source/surface/triangle_distance.h"

namespace strut
{
double distance_to_triangle(const dealii::Point<3> &point,
                            const std::array<dealii::Point<3>, 3> &triangle)
{
  const auto plain = [](const dealii::Point<3> &x) { return Point{{x[0], x[1], x[2]}}; };
  return distance_to_triangle(plain(point),
                              {{plain(triangle[0]), plain(triangle[1]), plain(triangle[2])}});
}

DistanceToFaces::DistanceToFaces(const DeckMesh &mesh,
                                 const std::vector<DeckMesh::Face> &faces,
                                 MPI_Comm communicator)
{
  std::vector<dealii::Point<3>> own; // three points of each triangle
  for (const DeckMesh::Face &face : faces)
    {
      const std::array<dealii::Point<3>, 4> v = mesh.vertices(face);
      own.insert(own.end(), {v[0], v[1], v[3]});
      if (mesh.n_vertices_of_face() == 4)
        own.insert(own.end(), {v[0], v[3], v[2]});
    }
  for (const std::vector<dealii::Point<3>> &of_rank :
       dealii::Utilities::MPI::all_gather(communicator, own))
    for (std::size_t k = 0; k < of_rank.size(); k += 3)
      triangles_.push_back({{of_rank[k], of_rank[k + 1], of_rank[k + 2]}});
  std::vector<std::pair<dealii::BoundingBox<3>, std::size_t>> boxes;
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    boxes.emplace_back(dealii::BoundingBox<3>(triangles_[t]), t);
  boxes_ = pack_rtree(boxes);
}

bool DistanceToFaces::is_within(const double distance, const dealii::Point<3> &point) const
{
  dealii::BoundingBox<3> near({point, point});
  near.extend(distance);
  std::vector<std::pair<dealii::BoundingBox<3>, std::size_t>> found;
  boxes_.query(boost::geometry::index::intersects(near), std::back_inserter(found));
  return std::any_of(found.begin(), found.end(), [&](const auto &box) {
    return distance_to_triangle(point, triangles_[box.second]) <= distance;
  });
}
} // namespace strut
