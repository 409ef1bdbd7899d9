// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

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
/// All arrays are `[n_elements]` on the backend, for the elements of this rank; values are those of
/// all ranks.
struct DesignPoint
{
  const Array<double> &x;
  const Array<double> &densities; ///< behind the maps

  struct Function
  {
    double value; ///< f_i
    double size;  ///< a number of its kind, positive: f_i / size is about 1 where it is large
    /// By x. Empty where that of the volume is for the update to take from UpdateContext::volumes.
    const Array<double> *derivative;
    double share = 0.; ///< a_i
  };
  Function objective;
  std::vector<Function> constraints = {};

  double accuracy = 0.; ///< of values, in their sizes: the solver's

  /// f_0, f_1 ... f_m of a trial design, which takes an analysis; infinite where it cannot be
  /// analysed. Collective.
  std::function<std::vector<double>(const Array<double> &trial)> evaluate = nullptr;

  std::vector<double> last =
    {}; ///< DesignUpdate::Step::values of the step before; empty at the first one
};
} // namespace strut
