// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

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
} // namespace strut::cpu
