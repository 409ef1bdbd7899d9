// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <vector>

namespace strut
{
/// Which modes of vibration are asked for, and how well.
struct VibrationControl
{
  std::size_t n_modes = 1;
  double tolerance =
    1e-6; ///< of sqrt(r.T r / phi.K phi), r = K phi - lambda M phi, T the preconditioner
  unsigned int max_iterations = 1000;
};

/// The lowest eigenvalues of `K phi = lambda M phi` on the free DoFs.
struct VibrationReport
{
  std::vector<double> eigenvalues; ///< squares of angular frequencies, ascending, `[n_modes]`
  unsigned int iterations = 0;
  double residual         = 0; ///< the largest one, as VibrationControl has it
};
} // namespace strut
