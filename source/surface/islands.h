// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// A body that was removed, since it is not connected with the largest one.
struct Island
{
  double volume = 0.;
  Point low{}, high{}; ///< corners of the box around it
};

/// The result for the largest body and those around it.
struct LargestBody
{
  std::vector<Island> islands;    ///< removed bodies, the largest first
  std::size_t n_cavities = 0;     ///< closed cavities in the remaining bodies
  std::vector<std::size_t> apart; ///< indices of the demanded places in other bodies, which stay
};

/// Keeps the largest body with its cavities, and the bodies around demanded places of material. A
/// part of the surface that encloses a negative volume is that of a cavity.
LargestBody keep_largest_body(CutSurface &surface, const std::vector<Point> &demanded = {});

/// The part of a surface with the selected triangles, and the vertices of these.
CutSurface selected(const CutSurface &surface, const std::vector<std::uint8_t> &is_selected);
} // namespace strut
