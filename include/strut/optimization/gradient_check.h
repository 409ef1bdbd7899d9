// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/design/interpolation.h>
#include <strut/optimization/responses/response.h>
#include <strut/solvers/state/state_solver.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The derivative of a response compared with finite differences, in some elements.
struct GradientCheck
{
  struct Row
  {
    int rank            = 0;
    std::size_t element = 0; ///< index on its rank
    double derivative   = 0; ///< dJ/drho_e as the response gives it
    double difference   = 0; ///< dJ/drho_e by differences

    double error() const
    {
      return derivative > difference ? derivative - difference : difference - derivative;
    }
  };

  std::vector<Row> rows; ///< equal on every rank
  double value = 0;      ///< J
  double size  = 0;      ///< largest |dJ/drho_e| of all elements; infinite if one is NaN

  /// Largest error of the rows, divided by the larger of `size` and the differences; infinite where
  /// one is NaN. It is about 1e-8 if the derivative is right and the solver's tolerance is 1e-12.
  /// It is 0 where J depends on nothing.
  double largest_error() const;
};

/// The elements and steps of a check.
struct GradientCheckSettings
{
  std::size_t n_elements         = 6; ///< number of elements of each rank, spread over its elements
  double step                    = 5e-4; ///< h; densities should be as far as 2 h from 0 and 1
  bool by_load_case              = true; ///< ResponseEntry::by_load_case
  std::vector<std::size_t> cases = {};   ///< load cases in the sum; empty: all
};

/// Compares the derivative of `J = sum_l w_l R_l` by the densities with central differences,
///
///     dJ/drho_e ~ (4 d(h) - d(2h)) / 3,   d(h) = (J(rho + h e) - J(rho - h e)) / (2 h),
///
/// whose error is of the order of h^4 (Richardson's extrapolation). Four designs are solved for
/// each element. The solver of `state` should have a tolerance of 1e-11 or less and displacements
/// in double: its error, divided by h, adds to the differences. Response::begin_design() is called
/// only once, so that numbers which a response keeps for a design do not change.
///
/// Collective; throws SolverFailure. Afterwards the state belongs to another design.
///
/// @param densities  rho_e, `[n_elements]`
GradientCheck check_gradient(Backend &backend,
                             const Communicator &communicator,
                             StateSolver &state,
                             const Interpolation &interpolation,
                             Response &response,
                             const std::vector<double> &densities,
                             const GradientCheckSettings &settings = {});
} // namespace strut
