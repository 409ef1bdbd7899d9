// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/point.h>

#include <deal.II/numerics/rtree.h>

#include <strut/deck_mesh.h>

#include <mpi.h>

#include <array>
#include <vector>

namespace strut
{
/// The faces of all ranks as two triangles each, for searches of nearby points.
class DistanceToFaces
{
public:
  /// @param faces  faces of this rank. Collective.
  DistanceToFaces(const DeckMesh &mesh,
                  const std::vector<DeckMesh::Face> &faces,
                  MPI_Comm communicator);

  /// Whether the distance of a point from the nearest face is at most this. Several threads may
  /// call it.
  bool is_within(double distance, const dealii::Point<3> &point) const;

private:
  using Triangle = std::array<dealii::Point<3>, 3>;

  std::vector<Triangle> triangles_;
  dealii::RTree<std::pair<dealii::BoundingBox<3>, std::size_t>> boxes_;
};

/// Distance of a point from a triangle.
double distance_to_triangle(const dealii::Point<3> &point,
                            const std::array<dealii::Point<3>, 3> &triangle);
} // namespace strut
