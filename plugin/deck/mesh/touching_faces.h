// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <cstdint>
#include <vector>

namespace strut
{
/// Vertices of a plane convex face. Its normal points outwards by the right-hand rule.
using FacePoints = std::array<dealii::Point<3>, 4>;

double area_of(const FacePoints &face);

/// Two faces that lie on each other and overlap, as those of two touching parts.
struct TouchingFaces
{
  std::uint32_t first = 0, second = 0; ///< numbers of the faces, ascending
  double area = 0.;                    ///< area of the overlap
};

/// Overlap of two faces in the plane of the first one, in the orientation of the first one; empty
/// if there is none.
std::vector<dealii::Point<3>> overlap(const FacePoints &first, const FacePoints &second);

double area_of(const std::vector<dealii::Point<3>> &polygon);

/// Finds all pairs of faces with opposite normals that lie in one plane within the tolerance and
/// overlap. All threads are used; the result does not depend on their number.
std::vector<TouchingFaces> find_touching(const std::vector<FacePoints> &faces, double tolerance);
} // namespace strut
