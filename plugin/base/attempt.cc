// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/attempt.h"

#include <strut/base/exceptions.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <new>
#include <thread>

namespace strut
{
namespace
{
/// An exception as data, so that it can go to other ranks.
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
    catch (const Error &error)
      {
        reason              = error.reason;
        remedy              = error.remedy;
        const auto *failure = dynamic_cast<const SolverFailure *>(&error);
        if (failure != nullptr)
          kind = failure->at_limit ? solver_at_limit : solver;
        else if (dynamic_cast<const OutOfMemory *>(&error) != nullptr)
          kind = out_of_memory;
      }
    catch (const std::bad_alloc &)
      {
        kind   = out_of_memory;
        reason = "The host is out of memory. Use a coarser mesh, or more machines.";
      }
    catch (const std::exception &error)
      {
        reason = error.what();
      }
    catch (...)
      {
        reason = "an exception that is no std::exception";
      }
  }

  [[noreturn]] static void
  throw_again(const int kind, const Remedy remedy, const std::string &reason)
  {
    if (kind == out_of_memory)
      throw OutOfMemory(reason, remedy);
    if (kind == solver || kind == solver_at_limit)
      throw SolverFailure(reason, remedy, kind == solver_at_limit);
    throw Error(reason, remedy);
  }

  int kind      = other;
  Remedy remedy = Remedy::none;
  std::string reason;
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

extern "C" int free_rendezvous(MPI_Comm, int, void *value, void *)
{
  auto *const rendezvous = static_cast<MPI_Comm *>(value);
  const int result       = MPI_Comm_free(rendezvous);
  delete rendezvous;
  return result;
}

/// A copy of a communicator on which a failed rank waits for the others, so that its messages
/// cannot match theirs on the communicator itself. It is made once and cached as an attribute of
/// the communicator. Collective.
MPI_Comm rendezvous_of(const MPI_Comm communicator)
{
  static const int key = []() {
    int new_key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_rendezvous, &new_key, nullptr);
    return new_key;
  }();
  void *value = nullptr;
  int found   = 0;
  MPI_Comm_get_attr(communicator, key, &value, &found);
  if (found == 0)
    {
      auto *const rendezvous = new MPI_Comm(MPI_COMM_NULL);
      MPI_Comm_dup(communicator, rendezvous);
      MPI_Comm_set_attr(communicator, key, rendezvous);
      value = rendezvous;
    }
  return *static_cast<MPI_Comm *>(value);
}

/// A barrier that this rank has entered.
class Arrival
{
public:
  explicit Arrival(const MPI_Comm communicator)
  {
    MPI_Ibarrier(communicator, &request_);
  }

  /// Whether all ranks enter within so many seconds.
  bool within(const double seconds)
  {
    using namespace std::chrono;
    const auto end = steady_clock::now() + duration<double>(seconds);
    int all        = 0;
    MPI_Test(&request_, &all, MPI_STATUS_IGNORE);
    while (all == 0 && steady_clock::now() < end)
      {
        std::this_thread::sleep_for(milliseconds(20));
        MPI_Test(&request_, &all, MPI_STATUS_IGNORE);
      }
    return all != 0;
  }

private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Throws on all ranks if one has failed. Collective.
/// @param names_rank  whether the errors of the other ranks name the failed one
void fail_together(const Communicator &communicator,
                   const std::exception_ptr &failure,
                   const bool names_rank = true)
{
  const int n = communicator.size();
  const int first =
    static_cast<int>(communicator.min(failure != nullptr ? communicator.rank() : n));
  if (first == n)
    return;
  int header[3] = {0, 0, 0}; // kind, remedy, number of characters
  std::string reason;
  if (communicator.rank() == first)
    {
      const Failure own(failure);
      reason    = own.reason;
      header[0] = own.kind;
      header[1] = static_cast<int>(own.remedy);
      header[2] = static_cast<int>(reason.size());
    }
  if (n > 1)
    {
      MPI_Bcast(header, 3, MPI_INT, first, communicator.mpi());
      reason.resize(header[2]);
      MPI_Bcast(reason.data(), header[2], MPI_CHAR, first, communicator.mpi());
    }
  if (failure != nullptr)
    std::rethrow_exception(failure);
  Failure::throw_again(header[0],
                       static_cast<Remedy>(header[1]),
                       (names_rank ? "On rank " + std::to_string(first) + ": " : "") + reason);
}
} // namespace

void attempt_together(const Communicator &communicator, const std::function<void()> &work)
{
  fail_together(communicator, failure_of(work));
}

void on_root(const MPI_Comm communicator, const std::function<void()> &work)
{
  on_root(Communicator(communicator), work);
}

void on_root(const Communicator &communicator, const std::function<void()> &work)
{
  const auto on_this = [&]() {
    if (communicator.rank() == 0)
      work();
  };
  fail_together(communicator, failure_of(on_this), false);
}

void attempt_or_abort(const Communicator &communicator, const std::function<void()> &work)
{
  const bool alone                 = communicator.size() == 1;
  const MPI_Comm rendezvous        = alone ? MPI_COMM_NULL : rendezvous_of(communicator.mpi());
  const std::exception_ptr failure = failure_of(work);
  if (!alone && failure == nullptr)
    {
      MPI_Request request; // the request on which Arrival waits
      MPI_Ibarrier(rendezvous, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  else if (!alone)
    {
      Arrival others(rendezvous);
      if (!others.within(2.))
        {
          const Failure own(failure);
          std::cerr
            << "\nstrut: error: on rank " << communicator.rank() << " of " << communicator.size()
            << ": " << joined(own.reason, plain_words(own.remedy))
            << "\n  The others are not here yet; if they do not come in half a minute, they wait "
               "for this rank, and the program ends.\n"
            << std::flush;
          if (!others.within(30.))
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
  return size == 1 || Arrival(communicator).within(2.);
}
} // namespace strut
