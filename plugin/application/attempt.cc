// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/attempt.h"

#include <strut/base/exceptions.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <thread>

namespace strut::plugin
{
namespace
{
/// What an exception is, so that it can go to other ranks.
struct Failure
{
  enum Kind
  {
    other,
    out_of_memory,
    solver,
    solver_at_limit
  };

  explicit Failure(const std::exception_ptr &exception)
  {
    try
      {
        std::rethrow_exception(exception);
      }
    catch (const OutOfMemory &error)
      {
        kind = out_of_memory;
        text = error.what();
      }
    catch (const SolverFailure &error)
      {
        kind = error.at_limit ? solver_at_limit : solver;
        text = error.what();
      }
    catch (const std::exception &error)
      {
        text = error.what();
      }
    catch (...)
      {
        text = "an exception that is no std::exception";
      }
  }

  [[noreturn]] static void throw_again(const int kind, const std::string &text)
  {
    if (kind == out_of_memory)
      throw OutOfMemory(text);
    if (kind == solver || kind == solver_at_limit)
      throw SolverFailure(text, kind == solver_at_limit);
    throw Error(text);
  }

  int kind = other;
  std::string text;
};

std::exception_ptr failure_of(const std::function<void()> &work)
{
  try
    {
      work();
    }
  catch (...)
    {
      return std::current_exception();
    }
  return nullptr;
}

/// Throw on all ranks if one has failed. Collective.
void fail_together(const Communicator &communicator, const std::exception_ptr &failure)
{
  const int n = communicator.size();
  const int first =
    static_cast<int>(communicator.min(failure != nullptr ? communicator.rank() : n));
  if (first == n)
    return;
  int header[2] = {0, 0}; // kind, characters
  std::string text;
  if (communicator.rank() == first)
    {
      const Failure own(failure);
      text      = own.text;
      header[0] = own.kind;
      header[1] = static_cast<int>(text.size());
    }
  if (n > 1)
    {
      MPI_Bcast(header, 2, MPI_INT, first, communicator.mpi());
      text.resize(header[1]);
      MPI_Bcast(text.data(), header[1], MPI_CHAR, first, communicator.mpi());
    }
  if (failure != nullptr)
    std::rethrow_exception(failure);
  Failure::throw_again(header[0], "On rank " + std::to_string(first) + ": " + text);
}
} // namespace

void attempt_together(const Communicator &communicator, const std::function<void()> &work)
{
  fail_together(communicator, failure_of(work));
}

void attempt_or_abort(const Communicator &communicator, const std::function<void()> &work)
{
  const std::exception_ptr failure = failure_of(work);
  if (communicator.size() > 1)
    {
      if (failure == nullptr)
        {
          MPI_Request request; // what all_arrive() waits for
          MPI_Ibarrier(communicator.mpi(), &request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
      else if (!all_arrive(communicator.mpi()))
        {
          std::cerr << "\nstrut: error: on rank " << communicator.rank() << " of "
                    << communicator.size()
                    << ", which the others wait for: " << Failure(failure).text << std::endl;
          MPI_Abort(communicator.mpi(), 1);
        }
    }
  fail_together(communicator, failure);
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
