// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Fewer triangles, by meshoptimizer: edges collapse into one of their ends, as long as the surface stays within about an error
/// of itself. Kept triangles change within their planes only, and where these end, no vertex goes. It is done patch by patch,
/// and borders of patches stay. A patch whose triangles would cross others, or share an edge with too many, is cut into smaller
/// ones, of which the smallest keep their triangles: so a surface that is closed and does not cross itself stays so. The same
/// bits for any number of threads.
/// @param error  in units of length
CutSurface simplify(const CutSurface &surface, double error, int n_threads);
} // namespace strut
