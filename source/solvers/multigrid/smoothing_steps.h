// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

namespace strut
{
/// Returns the number of smoothing steps on a level of multigrid: the ratio of length to thickness
/// of its elements, at least 3 and at most 10. A point smoother reduces errors along the thin side
/// of an element long before those along its other sides. So flat and long elements take more
/// iterations. More steps reduce these again, for about the same total time (doc/theory.md).
///
/// The ratio is that of the longest to the shortest of an element's three mean edges. At least nine
/// in ten elements of the mesh have no larger ratio than the one that is used. The result is the
/// same on any number of ranks. The ratio of a tetrahedron is that of its longest edge to its
/// shortest altitude, divided by sqrt(2). Collective.
unsigned int smoothing_steps_for(const Communicator &communicator, const ElementMesh &mesh);

/// Returns the number of smoothing steps for a material. With the mean dilatation it is at least
/// `2/3 sqrt(lambda / mu)`, up to 30: 15 for nu = 0.499. Fields without change of volume on a
/// coarse mesh have some on the fine one, which the smoother has to remove. With these steps PCG
/// iterations stay below 30 (doc/studies/locking.md). Tetrahedra of four nodes take at least 4,
/// which saves a fifth of the iterations.
unsigned int smoothing_steps_for(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const Material &material);

/// Returns the formulation on the coarser levels for so many smoothing steps: that of the material,
/// or full integration in place of the mean dilatation. A coarse element with the mean dilatation
/// ignores the resistance of its children. Its corrections are too large, up to
/// lambda / mu times. With fewer than `2/5 sqrt(lambda / mu)` steps the cycle need not be positive
/// definite. Then the levels get full integration, which resists at least as much as the children,
/// where meshes are nested.
Formulation coarse_formulation(const Material &material, unsigned int smoothing_steps);
} // namespace strut
