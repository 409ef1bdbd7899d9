// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <type_traits>

namespace strut::cpu
{
/// A reference to a callable as void(int).
class Part
{
public:
  template <typename Body, typename = std::enable_if_t<!std::is_same_v<Body, Part>>>
  Part(const Body &body) // implicit, for use as a parameter
    : body_(&body)
    , call_([](const void *body, const int part) { (*static_cast<const Body *>(body))(part); })
  {}

  /// An exception ends the program: the caller cannot leave while helpers use its objects.
  void operator()(const int part) const noexcept
  {
    call_(body_, part);
  }

private:
  const void *body_;
  void (*call_)(const void *, int);
};

/// Runs part(0), ..., part(n_parts - 1), on as many threads where the machine allows it, and
/// returns when all are done. The work of a part must depend on its number only, not on its thread
/// (thread_local, rounding mode). Then the result has the same bits, whichever thread ran it.
///
/// It is made for loops of some microseconds on machines that are shared. If a helper has not begun
/// its part when the calling thread has finished its own, the calling thread runs that part. So no
/// thread waits for a helper without a core. Threads spin before they sleep only as long as that
/// saves time.
///
/// The helpers are created once, and kept by the process. A nested call, or one from another thread
/// while a team is busy, runs all parts itself. So does a child process after fork(), which has no
/// helpers. A part must not throw.
void run_parts(int n_parts, Part part);

/// Gives the calling thread a second team for all its following parts. It is meant for a background
/// thread of a run, so that the loops of the run never find their team busy.
void use_background_team();

/// The number of threads of loops without an explicit number. It is the one set for the calling
/// thread, else OMP_NUM_THREADS, else all cores that the process may use.
int default_n_threads();

/// Sets default_n_threads() for the calling thread.
void set_default_n_threads(int n_threads);

/// The value of OMP_NUM_THREADS at the first call.
std::optional<int> n_threads_of_environment();

/// Parses a value of OMP_NUM_THREADS. The first number of a list for nested loops counts. Returns
/// nothing if there is no positive number.
std::optional<int> read_n_threads(const char *text);
} // namespace strut::cpu
