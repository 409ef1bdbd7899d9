// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/attempt.h"

#include <strut/base/exceptions.h>

#include <exception>

namespace strut::plugin
{
void attempt_together(const Communicator &communicator, const std::function<void()> &work)
{
  std::exception_ptr failure;
  try
    {
      work();
    }
  catch (...)
    {
      failure = std::current_exception();
    }
  const bool anywhere = communicator.any(failure != nullptr);
  if (failure != nullptr)
    std::rethrow_exception(failure);
  if (anywhere)
    throw Error("another rank could not set it up");
}

std::string first_line(const std::string &text)
{
  std::string line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '.')
    line.pop_back();
  return line;
}
} // namespace strut::plugin
