// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <functional>

namespace strut
{
/// Numbers to begin with, `[3 n_nodes]`: those of a node depend on where it is alone, so that all
/// ranks that have it have the same, and so that no smooth or regular vector is orthogonal to them.
/// Collective.
template <typename Number>
Array<Number>
numbers_of_places(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

/// The margin for a smoother of so many steps: with what the smoother tolerates by itself it makes
/// room for an eigenvalue that is a third larger than the one found, `1.15 tolerated_excess(3)`,
/// whatever the number of steps; at least 1.15.
double margin_of_eigenvalue(unsigned int n_smoothing_steps);

/// The largest eigenvalue of B K by 12 steps of Lanczos' method, as conjugate gradients have them,
/// times a margin, rounded up to a twentieth. The method comes from below, and is no bound: an
/// eigenvector that stands out is found wherever it is, since what it has of the beginning grows by
/// `1 + 2 g + 2 sqrt(g + g^2)` in each step, g its distance from the others, and one that does not
/// changes little. Smoothers of three steps converge up to 15 per cent beyond. Collective.
/// @param margin  see margin_of_eigenvalue()
/// @param B  inverse nodal blocks, zero on constrained components
/// @param multiply  q = K p, zero on constrained DoFs
/// @param begin  `[3 n_nodes]`
/// @param r,  z, p, q work, the same
template <typename Number>
double
largest_level_eigenvalue(Backend &backend,
                         const Communicator &communicator,
                         const ElementMesh &mesh,
                         double margin,
                         const StoredBlocks<Number> &B,
                         const std::function<void(Array<Number> &p, Array<Number> &q)> &multiply,
                         const Array<Number> &begin,
                         Array<Number> &r,
                         Array<Number> &z,
                         Array<Number> &p,
                         Array<Number> &q);
} // namespace strut
