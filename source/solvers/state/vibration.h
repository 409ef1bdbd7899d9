// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <vector>

namespace strut
{
/// The number of modes of vibration, and their accuracy.
struct VibrationControl
{
  std::size_t n_modes = 1;
  /// Tolerance of sqrt(r.T r / phi.K phi), r = K phi - lambda M phi, with the preconditioner T.
  double tolerance            = 1e-6;
  unsigned int max_iterations = 1000;
  /// Whether modes with Structure::supports_of_modes count, too.
  bool with_other_supports = false;
  /// Factor of Structure::masses. With a MassMatrix for density 1 it is 1 / density.
  double factor_of_masses = 1.;
};

/// The lowest eigenvalues of `K phi = lambda M phi` on the free DoFs, of all supports together.
struct VibrationReport
{
  std::vector<double> eigenvalues; ///< squares of angular frequencies, ascending, `[n_modes]`
  unsigned int iterations = 0;
  double residual         = 0; ///< the largest residual, in the norm of VibrationControl
};
} // namespace strut
