// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/attempt.h"

#include <strut/base/exceptions.h>

#include <chrono>
#include <exception>
#include <thread>

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

bool all_arrive(const MPI_Comm communicator)
{
  int size = 1;
  if (communicator != MPI_COMM_NULL)
    MPI_Comm_size(communicator, &size);
  if (size == 1)
    return true;
  MPI_Request request;
  MPI_Ibarrier(communicator, &request);
  int all = 0;
  for (int i = 0; i < 100 && all == 0; ++i)
    {
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
      std::this_thread::sleep_for(std::chrono::milliseconds(all != 0 ? 0 : 20));
    }
  return all != 0;
}

std::string first_line(const std::string &text)
{
  std::string line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '.')
    line.pop_back();
  return line;
}
} // namespace strut::plugin
