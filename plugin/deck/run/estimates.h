// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/solvers/state/stiffness_solver.h>

#include <cstddef>
#include <string>

#include "plugin/base/choose_backend.h"

namespace strut::plugin
{
/// What one PCG iteration takes, measured where it shall run.
struct IterationTime
{
  double seconds_per_element = 0;
  std::size_t n_elements     = 0; ///< that it was measured on
};

/// Time PCG iterations on a box of the deck's operator, precision and preconditioner. On one rank.
/// @param n_elements  of the deck: the box has about as many, up to what keeps the backend busy
/// @throws Error if the backend cannot do that
IterationTime measure_iteration(const ChosenBackend &backend,
                                const Material &material,
                                StateSettings settings,
                                std::size_t n_elements);

/// Lines about the time that designs will take, with the range of PCG iterations that is usual.
/// @param multigrid  else Jacobi's preconditioner or the like, whose iterations grow with the mesh
std::string describe_time(const IterationTime &time,
                          std::size_t n_elements,
                          unsigned int n_solves,
                          bool multigrid);

/// What the results and checkpoints of a run take on the disk.
struct DiskEstimate
{
  double result_bytes       = 0; ///< each; compressed as those of other decks
  std::size_t n_results     = 0;
  double checkpoint_bytes   = 0; ///< each; the last two are kept, a third is written beside them
  std::size_t n_checkpoints = 0;

  std::string text() const;
};
} // namespace strut::plugin
