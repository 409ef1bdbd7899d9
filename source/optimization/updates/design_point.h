// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/optimization/maps/design_map.h>

#include <functional>
#include <vector>

namespace strut
{
/// A design, and the problem as an update sees it there:
///
///     minimise    f_0(x) + z   over  x, z >= 0
///     subject to  f_i(x) <= a_i z,  i = 1 .. m,   lower <= x_e <= 1 where an element is free
///
/// A constraint has a_i = 0. The members of a worst case have a_i = 1, and z is the worst of them.
/// All arrays are `[n_elements]` on the backend, for the elements of this rank; values are over all
/// ranks.
struct DesignPoint
{
  const Array<double> &x;
  const Array<double> &densities; ///< densities behind the maps

  struct Function
  {
    double value; ///< f_i
    /// Positive number in the units of the function: f_i / size is about 1 where f_i is large.
    double size;
    /// Derivative by x. Empty for a volume whose derivative the update takes from
    /// UpdateContext::volumes.
    const Array<double> *derivative;
    double share = 0.; ///< a_i
  };
  Function objective;
  std::vector<Function> constraints = {};

  double accuracy = 0.; ///< accuracy of values relative to their sizes, that of the solver

  /// Evaluates f_0, f_1 ... f_m of a trial design, which needs an analysis. They are infinite where
  /// it cannot be analysed. Collective.
  std::function<std::vector<double>(const Array<double> &trial)> evaluate = nullptr;

  /// DesignUpdate::Step::values of the last step; empty at the first one.
  std::vector<double> last = {};

  /// Where the maps lead to the densities of the next design whose volume is limited.
  MapPoint maps_of_next = {};
};
} // namespace strut
