// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <functional>

namespace strut
{
/// Start vector for Lanczos' method, `[3 n_nodes]`. The numbers of a node depend on its place
/// alone, so all ranks that have it agree. No smooth or regular vector is orthogonal to them.
/// Collective.
template <typename Number>
Array<Number>
numbers_of_places(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

/// Margin of the eigenvalue for a smoother of n steps, at least 1.15:
/// `1.15 tolerated_excess(3) / tolerated_excess(n)`. With the excess that the smoother tolerates by
/// itself it allows an eigenvalue that is a third larger than the computed one.
double margin_of_eigenvalue(unsigned int n_smoothing_steps);

/// Estimates the largest eigenvalue of B K by 12 steps of Lanczos' method, in the form of conjugate
/// gradients. The result includes a margin and is rounded up to a twentieth.
///
/// The method approaches the eigenvalue from below, and gives no bound. An isolated eigenvector is
/// found anywhere. Its part of the start vector grows by `1 + 2 g + 2 sqrt(g + g^2)` in each step,
/// where g is the distance of its eigenvalue from the others. An eigenvector that is not isolated
/// changes little. Smoothers of three steps converge up to 15 per cent beyond. Collective.
/// @param margin  see margin_of_eigenvalue()
/// @param B  inverse nodal blocks, zero on constrained components
/// @param multiply  q = K p, zero on constrained DoFs
/// @param begin  start vector, `[3 n_nodes]`
/// @param r, z, p, q  work, `[3 n_nodes]` each
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
