// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <cstddef>
#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/run/named_points.h"
#include "source/solvers/state/nodal_stress.h"

namespace strut
{
/// The largest mesh for which every run computes stresses at nodes. They take some seconds of one
/// core and 56 bytes for each node. Larger ones need `Nodal stress` of the subsection `Output`.
constexpr std::size_t most_elements_for_nodal_stress = 500'000;

/// Stresses at nodes of a load case, and what named points have.
struct NodalStresses
{
  RunSummary::NodalStresses largest;
  /// The stress tensors, `[n_owned_nodes][6]`: xx, yy, zz, xy, yz, zx. Empty unless wanted. A node
  /// of several solids has the one with the largest von Mises stress, and one of none has 0.
  std::vector<float> field;
  std::vector<RunSummary::PointValue> points;
};

/// Averages stresses_at_nodes() over the elements around each node that have the same material of
/// the deck, weighted by their volumes. Elements with the factor 0 do not count. So no average goes
/// across the interface of two materials, where the stress jumps. Safety factors are the `Strength`
/// of a material over the von Mises stress of its average. At points, averages of the material
/// there are interpolated by the shape functions. Collective.
NodalStresses measure_nodal_stresses(const Communicator &communicator,
                                     const Problem &problem,
                                     const StressFields &fields,
                                     const std::vector<NamedPoint> &points,
                                     bool wants_field,
                                     int n_threads);

/// Returns the lines of the log on the largest stresses, and on points.
/// @param of_case  the end of each line
std::string describe(const RunSummary::NodalStresses &stresses, const std::string &of_case);
std::string describe(const std::vector<RunSummary::PointValue> &points, const std::string &of_case);
} // namespace strut
