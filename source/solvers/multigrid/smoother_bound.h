// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/multigrid_operations.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/structure.h>

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace strut
{
/// Returns an upper bound of the largest eigenvalue of B K, K the stiffness and B the inverse of
/// its nodal blocks. It holds for any stiffness factors and supports. It is the largest
/// eigenvalue of the same pencil of one element,
///
///     x^T K x = sum_e E_e x_e^T K0_e x_e <= max_e lambda_e  sum_e E_e x_e^T D_e x_e,
///
/// with D_e the nodal blocks of K0_e (Wathen 1987). The method of Lanczos
/// (source/element/lanczos.h) finds it on the host, and 1 % is added. The bound is for this rank's
/// elements, 0 if there are none.
double smoother_bound(const ElementMesh &mesh, const Material &material, int n_threads = 1);

/// Computes the bound on the backend.
double smoother_bound(Backend &backend, const ElementMesh &mesh, const Material &material);

/// Two materials between which all elements are in lambda / mu. The bound of an element is that of
/// one of them, since `(a lambda + b mu) / (c lambda + d mu)` is monotone in lambda / mu for any x.
using ExtremeSolids = std::array<Material, 2>;

/// Range of any elements with Lame's parameters and full integration. Negative lambda, down to -2/3
/// mu, would add a third part (-2/3, 1). Its bound is below that of the volumetric one (4.5 against
/// 5.4 for any box).
constexpr ExtremeSolids any_solids = {{Material::volumetric(), Material::deviatoric()}};

/// Returns the range of elements with the mean dilatation whose lambda is at most so many times
/// their mu. In the limit the bound is 8, far above that of usual solids. Parts with negative
/// lambda exceed the bound of the deviatoric one by less than a per cent, so lambda = 2 mu is the
/// least that is considered. More than 2^20 mu counts as the limit.
///
/// @return the two materials, and the power of 2 that the ratio was rounded to
std::pair<ExtremeSolids, int> solids_with_mean(double largest_ratio);

/// Returns the largest lambda / mu of all ranks; 0 if none is positive. Elements where both are 0
/// do not count, those with mu = 0 make it infinite. Collective.
double largest_lame_ratio(const Communicator &communicator,
                          const std::vector<double> &lambda,
                          const std::vector<double> &mu);

/// Returns the solids with the least and the largest Poisson's ratio of a structure; no value where
/// it has one ratio. Means over children are between them. Collective.
std::optional<ExtremeSolids> extreme_solids(const Communicator &communicator,
                                            const Structure &structure);

/// Bound for elements whose Gauss points have any tangents: with `z_v = C^1/2 B_v x_v` at a point,
/// `|sum_v z_v|^2 <= 8 sum_v |z_v|^2`. One stiff point between soft ones comes near to it. With one
/// tangent for all points the worst is the volumetric one, found by random search over tangents and
/// shapes, to rounding.
constexpr double bound_for_any_tangents = 8.;

/// Returns the bound for all solids between the two.
double smoother_bound(Backend &backend, const ElementMesh &mesh, const ExtremeSolids &solids);

/// Start vector for Lanczos' method, `[n_dofs]`, zero on constrained and dependent DoFs. The
/// numbers of a node depend on its place alone, so all ranks that have it agree. No smooth or
/// regular vector is orthogonal to them. Collective.
template <typename Number>
Array<Number>
numbers_of_places(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

/// Margin of the eigenvalue for a smoother of n steps, at least 1.18:
/// `1.18 tolerated_excess(3) / tolerated_excess(n)`. With the excess that the smoother tolerates by
/// itself it allows an eigenvalue that is a third larger than the computed one.
double margin_of_eigenvalue(unsigned int n_smoothing_steps);

/// Estimates the largest eigenvalue of B K by some steps of Lanczos' method, in the form of
/// conjugate gradients. The result includes a margin and is rounded up to a twentieth.
///
/// The method approaches the eigenvalue from below, and gives no bound. An isolated eigenvector is
/// found anywhere. Its part of the start vector grows by `1 + 2 g + 2 sqrt(g + g^2)` in each step,
/// where g is the distance of its eigenvalue from the others. An eigenvector that is not isolated
/// changes little. Smoothers of three steps converge up to 15 per cent beyond. Collective.
/// @param n_steps  steps, at most 18
/// @param margin  see margin_of_eigenvalue()
/// @param precondition  z = B r, linear; may change q
/// @param multiply  q = K p, zero on constrained DoFs
/// @param begin  start vector, `[n_dofs]`, zero on constrained DoFs
/// @param r, z, p, q  work, `[n_dofs]` each
template <typename Number>
double largest_level_eigenvalue(
  Backend &backend,
  const Communicator &communicator,
  const ElementMesh &mesh,
  std::size_t n_steps,
  double margin,
  const std::function<void(Array<Number> &r, Array<Number> &z)> &precondition,
  const std::function<void(Array<Number> &p, Array<Number> &q)> &multiply,
  const Array<Number> &begin,
  Array<Number> &r,
  Array<Number> &z,
  Array<Number> &p,
  Array<Number> &q);
} // namespace strut
