// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include "plugin/application/attempt.h"

namespace strut::plugin
{
/// Do some work of an application. What strut's core advises to the authors of decks, when memory or
/// iterations do not suffice, is said again in terms of StiffnessOptions.
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
      if (!failure.at_limit)
        throw;
      throw SolverFailure(first_line(failure.what()) +
                            ".\n  Raise StiffnessOptions::max_iterations or tolerance.",
                          true);
    }
}
} // namespace strut::plugin
