// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// A plane convex face: its vertices around it, the normal pointing out by the right-hand rule.
using FacePoints = std::array<dealii::Point<3>, 4>;

double area_of(const FacePoints &face);

/// Two faces that lie on each other with some area, as those of two parts that touch.
struct TouchingFaces
{
  std::uint32_t first = 0, second = 0; ///< numbers of the faces, ascending
  double area = 0.;                    ///< of their overlap
};

/// The common part of two faces in the plane of the first one; empty if there is none. Around it as the first one is.
std::vector<dealii::Point<3>> overlap(const FacePoints &first, const FacePoints &second);

double area_of(const std::vector<dealii::Point<3>> &polygon);

/// All pairs of faces with opposite normals that lie in one plane within the tolerance and overlap. With all threads; the
/// same for any number of them.
std::vector<TouchingFaces> find_touching(const std::vector<FacePoints> &faces, double tolerance);
} // namespace strut::plugin
