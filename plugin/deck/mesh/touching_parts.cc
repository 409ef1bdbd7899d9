// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/touching_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plugin/deck/mesh/touching_faces.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
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

FacePoints around(const CoarseMesh &mesh, const std::size_t cell, const unsigned int face)
{
  FacePoints points;
  for (unsigned int v = 0; v < 4; ++v)
    points[v] = mesh.vertex(cell, around_face[face][v]);
  return points;
}
} // namespace

std::vector<UnjoinedFaces> find_unjoined(const CoarseMesh &mesh, const double tolerance)
{
  std::vector<CoarseFace> sides;
  std::vector<FacePoints> faces;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < 6; ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        {
          sides.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint8_t>(f)});
          faces.push_back(around(mesh, c, f));
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
    if (area >= all * area_of(around(mesh, face.first, face.second)))
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
