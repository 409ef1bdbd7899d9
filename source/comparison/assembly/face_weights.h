// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <vector>

namespace strut
{
using FacePoint = std::array<double, 3>;

/// The integrals of the shape functions over a face of an element. A constant traction t gives node
/// a the force t w_a. The sum of the weights is the area. Midpoints of curved faces are used where
/// they are.
///
/// @param nodes  3 or 6 (triangle), 4, 8 or 9 (quadrilateral, vertices at (0,0), (1,0), (0,1),
///   (1,1)): vertices, then the midpoints of the lines, then the centre
/// @param lines  the two vertices of each midpoint's line, for 6, 8 and 9 nodes
/// @throws Error for another number of nodes
std::vector<double> face_weights(const std::vector<FacePoint> &nodes,
                                 const std::vector<std::array<int, 2>> &lines);
} // namespace strut
