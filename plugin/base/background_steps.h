// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <string>

#include "plugin/base/background.h"

namespace strut::plugin
{
/// Work that all ranks do in steps while the run goes on. Each step is on a thread of its own on every rank; after it
/// the ranks meet, on the threads that began the work. All functions are collective. Errors of one rank are
/// everyone's, as in attempt_together().
class BackgroundSteps
{
public:
  struct Step
  {
    /// Must not communicate. May be empty.
    std::function<void()> work;
    /// Once the work of all ranks is done: short, and may communicate. One rank alone does it on the thread of the
    /// work, and must not call MPI there.
    std::function<void()> meeting;
  };
  using Steps = std::deque<Step>;

  explicit BackgroundSteps(const Communicator &communicator) : communicator_(communicator)
  {}

  /// Wait for the steps before, and begin these in any case. Throws the error of those before.
  /// @param prepare  gives the steps; may communicate. The Error that it throws on all ranks is told
  /// as if a step had thrown it
  /// @param file_name  that the steps write, for the message where memory is missing
  void begin(const std::function<Steps()> &prepare, const std::string &file_name = "");

  /// Several ranks: meet if the work of all of them is done, and begin the next step. To be called now and then;
  /// begin() and wait() do it, too. Throws the error of the steps if they have ended with one, once.
  void proceed();

  /// Until the last step is done. Throws as proceed().
  void wait();

  /// Whether neither steps nor an error are left; the same on all ranks.
  bool is_done() const
  {
    return !running_ && failure_ == nullptr;
  }

  /// One rank: the end of the steps, for other threads to wait for; not valid if there are none. Several: of this
  /// rank's part of the step.
  std::shared_future<void> end_of_work() const
  {
    return background_.end_of_last();
  }

private:
  void start();
  void meet();
  void finish();
  void throw_failure();
  void fail_with(const std::string &reason);

  Communicator communicator_;
  std::string file_name_; ///< that they write
  Steps steps_;           ///< of several ranks: the one that is done, and those after it
  bool running_ = false;
  std::exception_ptr failure_; ///< that no caller has heard of
  Background background_;      ///< the last member: it uses what others have
};
} // namespace strut::plugin
