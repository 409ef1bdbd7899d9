// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// A body that was taken away, since it is not connected with the largest one.
struct Island
{
  double volume = 0.;
  Point low{}, high{}; ///< corners of the box around it
};

/// What is known of the largest body, and was around it.
struct LargestBody
{
  std::vector<Island> islands;    ///< the largest first
  std::size_t n_cavities = 0;     ///< closed ones, in what is left
  std::vector<std::size_t> apart; ///< the demanded places that are in other bodies, which stay
};

/// Leave the largest body with its cavities, and those around places of material that are demanded. A part of the surface that
/// encloses a negative volume is that of a cavity.
LargestBody keep_largest_body(CutSurface &surface, const std::vector<Point> &demanded = {});

/// The part of a surface with some of its triangles, and the vertices of these.
CutSurface selected(const CutSurface &surface, const std::vector<std::uint8_t> &is_selected);
} // namespace strut
