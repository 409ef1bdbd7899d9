// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <string>

namespace strut
{
/// Remedy in terms of StiffnessOptions, for applications.
std::string option_remedy(Remedy remedy);

/// Runs some work of an application, and rewrites its errors in terms of StiffnessOptions.
template <typename Work>
auto in_words_of_options(const Work &work)
{
  const auto message = [](const Error &error) {
    return joined(error.reason, option_remedy(error.remedy));
  };
  try
    {
      return work();
    }
  catch (const OutOfMemory &error)
    {
      throw OutOfMemory(message(error), Remedy::none);
    }
  catch (const SolverFailure &failure)
    {
      throw SolverFailure(message(failure), Remedy::none, failure.at_limit);
    }
  catch (const Error &error)
    {
      throw Error(message(error));
    }
}
} // namespace strut
