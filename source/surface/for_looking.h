// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// A surface of at most so many triangles that looks like the given one, or a little more where its topology allows no
/// fewer: vertices go where the surface changes least. Those that remain keep their places; edges of one triangle stay
/// as they are, so that the parts of several ranks still meet.
///
/// A surface of many more triangles is first thinned out by cells of a grid, of which threads take one each. The borders of
/// cells stay, until the whole is thinned out. The result is the same for any number of threads.
TriangleMesh
for_looking(const TriangleMesh &surface, std::size_t most_triangles, int n_threads = 1);
} // namespace strut
