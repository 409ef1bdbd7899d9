// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Fewer triangles, by meshoptimizer: edges collapse into one of their ends, as long as the surface stays within about an error
/// of itself. Kept triangles change within their planes only, and where these end, no vertex goes. Vertices stay where they are,
/// so those of the result are some of those before.
/// @param error  in units of length
/// @param is_still  `[n_triangles]`, those that stay as they are
CutSurface
simplify(const CutSurface &surface, double error, const std::vector<std::uint8_t> &is_still);
} // namespace strut
