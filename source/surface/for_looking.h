// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// A surface of at most this many triangles that looks like the given one. It has slightly more
/// where its topology requires that. Vertices are removed where the surface changes least. The
/// remaining ones keep their places. Edges with a single triangle stay, so that the parts of
/// several ranks still fit together.
///
/// A surface of many more triangles is first simplified by cells of a grid, one cell per thread at
/// a time. The borders of cells stay until the whole surface is simplified. The result is the same
/// for any number of threads.
TriangleMesh
for_looking(const TriangleMesh &surface, std::size_t most_triangles, int n_threads = 1);

/// The first step of for_looking(), by all threads: the surface simplified by cells, or as it is if
/// that is not larger by much.
TriangleMesh
by_cells_for_looking(const TriangleMesh &surface, std::size_t most_triangles, int n_threads);
/// The last step of for_looking(), by one thread.
TriangleMesh whole_for_looking(TriangleMesh by_cells, std::size_t most_triangles);
} // namespace strut
