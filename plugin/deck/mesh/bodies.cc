// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/bodies.h"

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "source/base/forest.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// Consecutive cells of one body.
struct Run
{
  explicit Run(const std::uint32_t of_body) : body(of_body)
  {
    box.lower.fill(std::numeric_limits<double>::max());
    box.upper.fill(std::numeric_limits<double>::lowest());
  }

  std::uint32_t body;
  std::size_t n_cells = 0;
  Box3 box;
  std::set<unsigned int> materials;
};

/// Numbers the bodies: each is a set of cells that are connected by neighbours or ties.
void colour(const CoarseMesh &mesh,
            const std::vector<std::array<std::uint32_t, 2>> &tied,
            MeshBodies &result)
{
  const int n_threads       = cpu::default_n_threads();
  const std::size_t n_cells = mesh.cells.size();
  Forest forest(n_cells, n_threads);
  for (const auto &[a, b] : tied)
    forest.unite(a, b);
  cpu::parallel_for(n_threads, n_cells, [&](const std::size_t cell) {
    for (const std::uint32_t neighbour : mesh.neighbours[cell])
      if (neighbour != CoarseMesh::nobody)
        forest.unite(cell, neighbour);
  });
  std::size_t n_bodies  = 0;
  result.of_coarse_cell = forest.trees(n_bodies);

  result.bodies.boxes.assign(n_bodies, Run(0).box);
  result.material_ids.resize(n_bodies);
  result.n_coarse_cells.resize(n_bodies);
  for (const std::vector<Run> &runs : cpu::values_of_blocks(
         n_threads, n_cells, [&](const std::size_t begin, const std::size_t end) {
           std::vector<Run> of_block;
           std::uint32_t last_material = CoarseMesh::nobody;
           for (std::size_t cell = begin; cell < end; ++cell)
             {
               const bool is_new =
                 cell == begin || result.of_coarse_cell[cell] != result.of_coarse_cell[cell - 1];
               Run &run =
                 is_new ? of_block.emplace_back(result.of_coarse_cell[cell]) : of_block.back();
               ++run.n_cells;
               if (const std::uint32_t material = mesh.names.materials[cell];
                   is_new || material != last_material)
                 run.materials.insert(last_material = material);
               for (unsigned int v = 0; v < mesh.type.n_vertices; ++v)
                 for (unsigned int d = 0; d < 3; ++d)
                   {
                     run.box.lower[d] = std::min(run.box.lower[d], mesh.vertex(cell, v)[d]);
                     run.box.upper[d] = std::max(run.box.upper[d], mesh.vertex(cell, v)[d]);
                   }
             }
           return of_block;
         }))
    for (const Run &run : runs)
      {
        Box3 &box = result.bodies.boxes[run.body];
        for (unsigned int d = 0; d < 3; ++d)
          {
            box.lower[d] = std::min(box.lower[d], run.box.lower[d]);
            box.upper[d] = std::max(box.upper[d], run.box.upper[d]);
          }
        result.material_ids[run.body].insert(run.materials.begin(), run.materials.end());
        result.n_coarse_cells[run.body] += run.n_cells;
      }
}

/// Returns all pairs of a vertex of the coarse mesh and a body that has it, each pair once.
std::vector<std::pair<unsigned int, std::uint32_t>> vertices_and_bodies(const CoarseMesh &mesh,
                                                                        const MeshBodies &bodies)
{
  std::vector<std::pair<unsigned int, std::uint32_t>> result;
  result.reserve(8 * mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int v = 0; v < mesh.type.n_vertices; ++v)
      result.emplace_back(mesh.cells[c][v], bodies.of_coarse_cell[c]);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

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

double perimeter(const FacePoints &face)
{
  double sum = 0.;
  for (std::size_t i = 0; i < 4; ++i)
    sum += face[i].distance(face[(i + 1) % 4]);
  return sum;
}

bool have_same_places(const FacePoints &a, const FacePoints &b, const double tolerance)
{
  return std::all_of(a.begin(), a.end(), [&](const dealii::Point<3> &point) {
    return std::any_of(b.begin(), b.end(), [&](const dealii::Point<3> &other) {
      return point.distance(other) <= tolerance;
    });
  });
}
} // namespace

MeshBodies find_bodies(const CoarseMesh &mesh,
                       const std::vector<std::array<std::uint32_t, 2>> &tied)
{
  MeshBodies result;
  colour(mesh, tied, result);
  if (result.size() < 2)
    return result;
  const auto pairs = vertices_and_bodies(mesh, result);
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i - 1].first == pairs[i].first)
      {
        const dealii::Point<3> &point = mesh.vertices[pairs[i].first];
        result.bodies.hinges.push_back(
          {pairs[i - 1].second, pairs[i].second, {{point[0], point[1], point[2]}}});
      }
  return result;
}

std::vector<unsigned int> first_of_coincident(const std::vector<dealii::Point<3>> &points,
                                              const double tolerance)
{
  namespace index = boost::geometry::index;
  std::vector<std::pair<dealii::Point<3>, unsigned int>> numbered;
  for (const dealii::Point<3> &point : points)
    numbered.emplace_back(point, static_cast<unsigned int>(numbered.size()));
  const auto tree = dealii::pack_rtree(numbered);
  const dealii::Tensor<1, 3> reach({tolerance, tolerance, tolerance});
  std::vector<unsigned int> result;
  for (const auto &[point, i] : numbered)
    {
      result.push_back(i);
      const dealii::BoundingBox<3> near({point - reach, point + reach});
      for (const auto &[other, j] : tree | index::adaptors::queried(index::intersects(near)))
        if (j < result[i] && result[j] == j && other.distance(point) <= tolerance)
          result[i] = j;
    }
  return result;
}

std::size_t n_coincident_nodes(const CoarseMesh &mesh,
                               const MeshBodies &bodies,
                               const std::size_t body,
                               const double tolerance)
{
  // Nodes of other bodies come first: a node of this body then finds them before itself.
  std::vector<dealii::Point<3>> points;
  const auto pairs = vertices_and_bodies(mesh, bodies);
  std::vector<bool> of_body(mesh.vertices.size(), false);
  for (const auto &[vertex, b] : pairs)
    if (b == body)
      of_body[vertex] = true;
  for (const auto &[vertex, b] : pairs)
    if (!of_body[vertex])
      points.push_back(mesh.vertices[vertex]);
  const std::size_t n_others = points.size();
  for (std::size_t v = 0; v < of_body.size(); ++v)
    if (of_body[v])
      points.push_back(mesh.vertices[v]);
  const std::vector<unsigned int> first = first_of_coincident(points, tolerance);
  return static_cast<std::size_t>(
    std::count_if(first.begin() + static_cast<std::ptrdiff_t>(n_others),
                  first.end(),
                  [&](const unsigned int i) { return i < n_others; }));
}

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
    boxes[i] = {dealii::BoundingBox<3>(faces[i]), static_cast<std::uint32_t>(i)};
    boxes[i].first.extend(tolerance);
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

std::vector<UnjoinedFaces> find_unjoined(const CoarseMesh &mesh, const double tolerance)
{
  std::vector<CoarseFace> sides;
  std::vector<FacePoints> faces;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < n_faces(mesh.type); ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        {
          sides.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint8_t>(f)});
          faces.push_back(mesh.around(c, f));
        }
  std::vector<UnjoinedFaces> result;
  for (const auto &[a, b, area] : find_touching(faces, tolerance))
    if (area > tolerance * std::min(perimeter(faces[a]), perimeter(faces[b])))
      result.push_back(
        {{{sides[a], sides[b]}}, area, have_same_places(faces[a], faces[b], tolerance)});
  return result;
}

std::vector<CoarseFace> covered_faces(const CoarseMesh &mesh,
                                      const std::vector<UnjoinedFaces> &unjoined)
{
  constexpr double all = 1. - 1e-6; // fraction of the area, less the tolerance of the overlaps
  std::map<std::pair<std::uint32_t, std::uint8_t>, double> covered;
  for (const UnjoinedFaces &pair : unjoined)
    for (const auto &[cell, number] : pair.sides)
      covered[{cell, number}] += pair.area;
  std::vector<CoarseFace> faces;
  for (const auto &[face, area] : covered)
    if (area >= all * area_of(mesh.around(face.first, face.second)))
      faces.push_back({face.first, face.second});
  return faces;
}

std::vector<TouchingParts> find_touching_parts(const std::vector<UnjoinedFaces> &faces,
                                               const MeshBodies &bodies)
{
  using Pair = std::array<std::size_t, 2>;
  std::map<Pair, TouchingParts> parts;
  std::map<Pair, std::array<std::set<std::uint64_t>, 2>> sides; // 6 * cell + face
  for (const UnjoinedFaces &face : faces)
    {
      Pair pair{
        {bodies.of_coarse_cell[face.sides[0].cell], bodies.of_coarse_cell[face.sides[1].cell]}};
      const bool turned = pair[0] > pair[1];
      if (turned)
        std::swap(pair[0], pair[1]);
      TouchingParts &found = parts[pair];
      found.bodies         = pair;
      found.area += face.area;
      found.is_matched = found.is_matched && face.is_matched;
      for (std::size_t s = 0; s < 2; ++s)
        sides[pair][turned ? 1 - s : s].insert(std::uint64_t(6) * face.sides[s].cell +
                                               face.sides[s].number);
    }
  std::vector<TouchingParts> result;
  for (auto &[pair, found] : parts)
    {
      for (std::size_t s = 0; s < 2; ++s)
        found.n_faces[s] = sides[pair][s].size();
      for (const Bodies::Hinge &hinge : bodies.bodies.hinges)
        if (std::minmax(hinge.first, hinge.second) == std::minmax(pair[0], pair[1]))
          ++found.n_shared_nodes;
      result.push_back(found);
    }
  return result;
}
} // namespace strut
