// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <string>

namespace strut
{
/// Runs pieces of work one after another on a separate thread, while the run continues. The work
/// must not communicate, because MPI belongs to the thread that initialized it.
class Background
{
public:
  /// Waits for the last piece. An error that no call has thrown is lost.
  ~Background();

  /// Waits for the previous piece, starts this one even if that failed, and throws the previous
  /// piece's error.
  void start(std::function<void()> work);

  /// Whether wait() would return at once.
  bool is_done() const;

  /// Waits for the last piece. Throws its error, once.
  void wait();

  /// Future of the last piece's end, for other threads; invalid if there is no piece.
  std::shared_future<void> end_of_last() const
  {
    return last_;
  }

private:
  std::shared_future<void> last_;
};

/// Work that all ranks do in steps while the run continues. Each rank runs a step on a separate
/// thread. After it the ranks meet, on the threads that began the work. All functions are
/// collective. If one rank fails, all throw its error, as in attempt_together().
class BackgroundSteps
{
public:
  struct Step
  {
    /// Runs on the separate thread; must not communicate. May be empty.
    std::function<void()> work;
    /// Runs once the work of all ranks is done; it is short, and may communicate. With one rank it
    /// runs on the thread of the work, and must not call MPI.
    std::function<void()> meeting;
  };
  using Steps = std::deque<Step>;

  explicit BackgroundSteps(const Communicator &communicator) : communicator_(communicator)
  {}

  /// Waits for the previous steps, starts these even if those failed, and throws the error of
  /// those.
  /// @param prepare  returns the steps; may communicate. An Error that it throws on all ranks is
  /// reported as if a step had thrown it.
  /// @param file_name  file that the steps write, for the message if memory is missing
  void begin(const std::function<Steps()> &prepare, const std::string &file_name = "");

  /// With several ranks: meets if the work of all of them is done, and starts the next step. Call
  /// it now and then; begin() and wait() call it too. If the steps have failed, throws their error,
  /// once.
  void proceed();

  /// Waits for the last step. Throws as proceed().
  void wait();

  /// Whether there are neither steps nor an error left; the same on all ranks.
  bool is_done() const
  {
    return !running_ && failure_ == nullptr;
  }

  /// Future of the end of the steps, for other threads; invalid if there are none. On several ranks
  /// it is the end of this rank's part of the present step.
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
  std::string file_name_; ///< file that they write
  Steps steps_;           ///< with several ranks: the step in progress and those after it
  bool running_ = false;
  std::exception_ptr failure_; ///< error that was not thrown yet
  Background background_;      ///< the last member, as it uses the others
};
} // namespace strut
