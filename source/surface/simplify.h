// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Reduces the triangles by meshoptimizer: edges collapse into one of their ends, as long as the
/// surface changes by about an error at most. Kept triangles change within their planes only, and
/// vertices at the rim of these stay. The surface is processed patch by patch, and borders of
/// patches stay.
///
/// A patch whose triangles would cross others, or share an edge with too many, is cut into smaller
/// ones. The smallest keep their triangles. So a surface that is closed and does not cross itself
/// stays so. The same bits for any number of threads.
///
/// @param error  length
CutSurface simplify(const CutSurface &surface, double error, int n_threads);
} // namespace strut
