// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <functional>
#include <vector>

namespace strut
{
/// A design, and what an update knows there of the problem
///
///     minimise  f_0(x) + z   over  x, z >= 0
///     subject to  f_i(x) <= a_i z,  i = 1 .. m,   lower <= x_e <= 1 where an element is free
///
/// A constraint has a_i = 0. The members of a worst case have a_i = 1, and z is the worst of them. All arrays are
/// `[n_elements]` on the backend, for the elements of this rank; values are those of all ranks.
struct DesignPoint
{
  const Array<double> &x;
  double objective; ///< f_0
  const Array<double> &objective_derivative;

  struct Constraint
  {
    double value; ///< f_i
    const Array<double> *derivative;
    double share = 0.; ///< a_i
  };
  std::vector<Constraint> constraints = {};

  /// f_i of a trial design, where that needs no displacements: the volume. Null where it does. Collective.
  std::function<double(std::size_t i, const Array<double> &trial)> trial = nullptr;
};
} // namespace strut
