// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/stress.h"
#include "source/solvers/state/von_mises.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace strut
{
/// The fields that determine the stresses of a load case. The references must outlive it.
struct StressFields
{
  const ElementMesh &mesh;
  SolidsOfElements solids;
  const std::vector<double> &stiffness;    ///< factors of the elements, `[n_elements]`
  const std::vector<double> &displacement; ///< `[3 * n_nodes]`, including ghosts
  const std::vector<double> &expansion;    ///< LoadCase::expansion; empty if there is none
};

/// Computes the stresses of an element at its nodes, `[n_nodes of the element]`: those of its solid
/// times its stiffness factor, extrapolated from StressPoints. They are
///
///     sigma = C strain(u) - p I,
///
/// with the strains of incompatible modes, and with lambda times the mean dilatation where the
/// formulation has it. The pressure p of a thermal expansion is the polynomial whose forces on the
/// nodes, `int p dN_v/dx_c dx`, are nearest to those of the load. So they are the stresses that the
/// solver has in balance.
std::vector<Stress> stresses_at_nodes(const StressFields &fields, std::size_t element);

/// Number of sums that add_stresses_at_nodes() makes at a node: of six components of the stress
/// times the volume of the element, and of the volumes.
constexpr std::size_t n_stress_sums = 7;

/// Adds stresses_at_nodes() of elements to sums at their nodes, of which averages are made. The
/// sums have the same bits for any number of threads.
/// @param counts  whether an element counts
/// @param sums  `[n_nodes][n_stress_sums]`, with partial sums on ghosts
void add_stresses_at_nodes(const StressFields &fields,
                           const std::function<bool(std::size_t)> &counts,
                           int n_threads,
                           std::vector<double> &sums);
} // namespace strut
