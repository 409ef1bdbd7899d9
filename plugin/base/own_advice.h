// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include "plugin/base/attempt.h"

namespace strut::plugin
{
/// Do some work of an application. strut's core has the reason of an error on the first line of its
/// message, and on the next ones what the author of a deck can do. Here the latter is said again in
/// terms of StiffnessOptions.
template <typename Work>
auto with_own_advice(const Work &work)
{
  try
    {
      return work();
    }
  catch (const OutOfMemory &error)
    {
      throw OutOfMemory(first_line(error.what()) +
                        ".\n  Use StiffnessOperator<float>, another strategy, fewer elements, more "
                        "MPI ranks on more GPUs, or StiffnessOptions::backend 'cpu'.");
    }
  catch (const SolverFailure &failure)
    {
      const std::string reason = first_line(failure.what());
      if (failure.at_limit)
        throw SolverFailure(reason + ".\n  Raise StiffnessOptions::max_iterations or tolerance.",
                            true);
      throw SolverFailure(
        reason +
        ".\n  Look for parts that the constraints leave free to move, inverted elements, and forces or "
        "factors that are no numbers or 1e12 apart; or try another StiffnessOptions::preconditioner, "
        "precision 'auto', StiffnessOperator<double>, or a larger tolerance.");
    }
}
} // namespace strut::plugin
