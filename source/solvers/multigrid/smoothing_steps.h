// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

namespace strut
{
/// How many smoothing steps a level of multigrid takes: as many as its elements are times longer
/// than thick, but at least 3 and at most 10. A point smoother reduces errors along the thin side
/// of an element long before those along its other sides, so flat and long elements take more
/// iterations. More steps bring them down again, for about the same time in all (doc/theory.md).
///
/// The ratio is that of the longest to the shortest of an element's three mean edges; nine elements
/// in ten of the mesh have at most the one that counts. The same on any number of ranks.
/// Collective.
unsigned int smoothing_steps_for(const Communicator &communicator, const ElementMesh &mesh);

/// The same, and with the mean dilatation at least `2/3 sqrt(lambda / mu)`, up to 30: 15 for nu =
/// 0.499. Fields without change of volume on a coarse mesh are not so on the fine one, and the
/// smoother has to mend that. With these steps PCG iterations stay below 30
/// (doc/studies/locking.md).
unsigned int smoothing_steps_for(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const Material &material);

/// How the coarser levels integrate, for so many smoothing steps. A coarse element with the mean
/// dilatation does not see what its children resist: its corrections are too large, up to lambda /
/// mu times, and with fewer than `2/5 sqrt(lambda / mu)` steps the cycle need not be positive
/// definite. Then the levels get full integration: it resists at least as much as the children,
/// where meshes are nested.
VolumetricIntegration coarse_integration(const Material &material, unsigned int smoothing_steps);
} // namespace strut
