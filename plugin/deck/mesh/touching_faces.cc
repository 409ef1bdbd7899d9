// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/touching_faces.h"

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
using Point  = dealii::Point<3>;
using Vector = dealii::Tensor<1, 3>;

/// Returns the normal with twice the area as its length.
Vector area_vector(const FacePoints &face)
{
  return dealii::cross_product_3d(face[2] - face[0], face[3] - face[1]);
}

/// The largest distance of the vertices of a face from the plane of another one.
double distance(const FacePoints &face, const FacePoints &plane, const Vector &normal)
{
  const Point centre = (plane[0] + plane[1] + plane[2] + plane[3]) / 4.;
  double largest     = 0.;
  for (const Point &point : face)
    largest = std::max(largest, std::abs((point - centre) * normal));
  return largest;
}

dealii::BoundingBox<3> box_around(const FacePoints &face, const double tolerance)
{
  Point lower = face[0], upper = face[0];
  for (const Point &point : face)
    for (unsigned int d = 0; d < 3; ++d)
      {
        lower[d] = std::min(lower[d], point[d]);
        upper[d] = std::max(upper[d], point[d]);
      }
  const Vector reach({tolerance, tolerance, tolerance});
  return dealii::BoundingBox<3>(std::make_pair(lower - reach, upper + reach));
}
} // namespace

double area_of(const FacePoints &face)
{
  return 0.5 * area_vector(face).norm();
}

double area_of(const std::vector<Point> &polygon)
{
  Vector sum;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += dealii::cross_product_3d(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * sum.norm();
}

std::vector<Point> overlap(const FacePoints &first, const FacePoints &second)
{
  // Sutherland-Hodgman: the second face, reversed and projected into the plane, is clipped at each
  // edge of the first one.
  const Vector normal = area_vector(first) / area_vector(first).norm();
  std::vector<Point> polygon(second.rbegin(), second.rend());
  for (Point &point : polygon)
    point -= ((point - first[0]) * normal) * normal;
  for (std::size_t i = 0; i < 4 && !polygon.empty(); ++i)
    {
      const Vector inwards   = dealii::cross_product_3d(normal, first[(i + 1) % 4] - first[i]);
      const auto height      = [&](const Point &point) { return (point - first[i]) * inwards; };
      std::vector<Point> cut = std::move(polygon);
      polygon.clear();
      for (std::size_t k = 0; k < cut.size(); ++k)
        {
          const Point &from = cut[k], &to = cut[(k + 1) % cut.size()];
          const double a = height(from), b = height(to);
          if (a >= 0.)
            polygon.push_back(from);
          if ((a > 0. && b < 0.) || (a < 0. && b > 0.))
            polygon.push_back(from + (a / (a - b)) * (to - from));
        }
    }
  return polygon;
}

std::vector<TouchingFaces> find_touching(const std::vector<FacePoints> &faces,
                                         const double tolerance)
{
  namespace index       = boost::geometry::index;
  const int n_threads   = cpu::default_n_threads();
  const std::size_t n   = faces.size();
  constexpr double turn = -0.999; // cosine of the angle between normals
  std::vector<std::pair<dealii::BoundingBox<3>, std::uint32_t>> boxes(n);
  std::vector<Vector> normals(n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
    boxes[i]   = {box_around(faces[i], tolerance), static_cast<std::uint32_t>(i)};
    normals[i] = area_vector(faces[i]) / area_vector(faces[i]).norm();
  });
  const auto tree = dealii::pack_rtree(boxes);
  const auto blocks =
    cpu::values_of_blocks(n_threads, n, [&](const std::size_t begin, const std::size_t end) {
      std::vector<TouchingFaces> found;
      std::vector<std::uint32_t> near;
      for (std::size_t i = begin; i < end; ++i)
        {
          near.clear();
          for (const auto &[box, j] :
               tree | index::adaptors::queried(index::intersects(boxes[i].first)))
            if (j > i && normals[i] * normals[j] < turn &&
                (distance(faces[i], faces[j], normals[j]) <= tolerance ||
                 distance(faces[j], faces[i], normals[i]) <= tolerance))
              near.push_back(j);
          std::sort(near.begin(), near.end());
          for (const std::uint32_t j : near)
            {
              const double area = area_of(overlap(faces[i], faces[j]));
              if (area > 1e-12 * std::min(area_of(faces[i]), area_of(faces[j])))
                found.push_back({static_cast<std::uint32_t>(i), j, area});
            }
        }
      return found;
    });
  std::vector<TouchingFaces> result;
  for (const std::vector<TouchingFaces> &found : blocks)
    result.insert(result.end(), found.begin(), found.end());
  return result;
}
} // namespace strut
