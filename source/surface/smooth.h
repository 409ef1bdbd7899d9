// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/freedoms.h"

namespace strut
{
struct SmoothingSettings
{
  unsigned int passes = 20;
  double reach        = 0.25; ///< largest displacement of a vertex, relative to its size
};

/// Smooths a surface without shrinking it (Taubin 1995). Each pass has a step towards the mean of
/// the neighbours, by 0.5, and one away from it, by 0.526. An offset of the free part restores the
/// volume. Vertices of kept triangles stay in their planes. At the rim of kept triangles,
/// neighbours are those along this rim. The same bits for any number of threads.
void smooth(CutSurface &surface,
            const VertexToTriangle &around,
            const Freedoms &freedoms,
            const SmoothingSettings &settings,
            int n_threads);
} // namespace strut
