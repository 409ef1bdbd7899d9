// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <type_traits>

namespace strut::cpu
{
/// Any callable as void(int), without owning it.
class Part
{
public:
  template <typename Body, typename = std::enable_if_t<!std::is_same_v<Body, Part>>>
  Part(const Body &body) // implicit, as a parameter
    : body_(&body)
    , call_([](const void *body, const int part) { (*static_cast<const Body *>(body))(part); })
  {}

  /// An exception ends the program here: the caller cannot leave while helpers use its objects.
  void operator()(const int part) const noexcept
  {
    call_(body_, part);
  }

private:
  const void *body_;
  void (*call_)(const void *, int);
};

/// part(0), ..., part(n_parts - 1), on as many threads where the machine lets them run; returns when all
/// are done. The work of a part must depend on its number alone, not on its thread (thread_local, rounding
/// mode): then the result has the same bits, whoever ran it.
///
/// Made for loops of some microseconds on machines that do other work too. A helper that has not begun
/// its part when the calling thread is through with its own loses it to the calling thread, so nobody
/// waits for a thread that has not got a core yet. Threads spin before they sleep only as long as that pays.
///
/// The helpers are made once, and kept by the process. A call from within a part, or from another thread
/// while a team is at work, runs all parts itself. So does a child process, which has no helpers, after
/// fork(). A part must not throw.
void run_parts(int n_parts, Part part);

/// From now on the thread that calls runs its parts with a second team. For a thread that works in the background of
/// a run: the loops of the run never find their team at work for it.
void use_background_team();

/// How many threads have loops that nobody tells: as set for the thread that calls; else OMP_NUM_THREADS; else all cores
/// that the process may run on.
int default_n_threads();

/// Set default_n_threads() for the thread that calls.
void set_default_n_threads(int n_threads);

/// OMP_NUM_THREADS as it was at first use.
std::optional<int> n_threads_of_environment();

/// The value of OMP_NUM_THREADS: of a list, which is one of nested loops, the first number. Nothing if there is none, or
/// none that is positive.
std::optional<int> read_n_threads(const char *text);
} // namespace strut::cpu
