// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/structure.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace strut
{
/// An upper bound of the largest eigenvalue of B K, K the stiffness and B the inverse of its 3x3
/// nodal blocks, for any stiffness factors and supports: the largest eigenvalue of the same pencil
/// of one element,
///
///     x^T K x = sum_e E_e x_e^T K0_e x_e <= max_e lambda_e  sum_e E_e x_e^T D_e x_e,
///
/// D_e the nodal blocks of K0_e (Wathen 1987). By the method of Lanczos (source/element/lanczos.h),
/// with 1 % on top; on the host. Of this rank's elements; 0 if it has none.
double smoother_bound(const ElementMesh &mesh, const Material &material, int n_threads = 1);

/// The same on the backend.
double smoother_bound(Backend &backend, const ElementMesh &mesh, const Material &material);

/// Two materials between which all elements are, as to lambda / mu: the bound of an element is that
/// of one of them, since `(a lambda + b mu) / (c lambda + d mu)` is monotone in lambda / mu for any
/// x.
using ExtremeSolids = std::array<Material, 2>;

/// Of any elements with Lame's parameters and full integration. Negative lambda, down to -2/3 mu,
/// make a third part (-2/3, 1), whose bound is below that of the volumetric one (4.5 against 5.4
/// for any box).
constexpr ExtremeSolids any_solids = {{Material::volumetric(), Material::deviatoric()}};

/// Of elements with the mean dilatation whose lambda is at most so many times their mu: in the
/// limit the bound is 8, far above that of usual solids. Parts with negative lambda have the bound
/// of the deviatoric one or less than a per cent more, so lambda = 2 mu is the least that is looked
/// at; more than 2^20 mu is the limit.
///
/// @return the two, and the power of 2 that they were rounded to
std::pair<ExtremeSolids, int> solids_with_mean(double largest_ratio);

/// The largest lambda / mu of all ranks; 0 if there is none above. Elements without any do not
/// count, those without mu make it infinite. Collective.
double largest_lame_ratio(const Communicator &communicator,
                          const std::vector<double> &lambda,
                          const std::vector<double> &mu);

/// Those with the least and the largest Poisson's ratio of a structure; none where it has one
/// ratio. Means over children are between them. Collective.
std::optional<ExtremeSolids> extreme_solids(const Communicator &communicator,
                                            const Structure &structure);

/// Of elements whose Gauss points have any tangents: with `z_v = C^1/2 B_v x_v` at a point,
/// `|sum_v z_v|^2 <= 8 sum_v |z_v|^2`. One stiff point between soft ones comes near to it. With one
/// tangent for all points the worst is the volumetric one (found by random search over tangents and
/// shapes, to rounding).
constexpr double bound_for_any_tangents = 8.;

/// The bound for all solids between the two.
double smoother_bound(Backend &backend, const ElementMesh &mesh, const ExtremeSolids &solids);
} // namespace strut
