// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <future>

namespace strut::plugin
{
/// Does one piece of work after another on a thread of its own, while the run goes on. The work must
/// not communicate: MPI belongs to the thread that began it.
class Background
{
public:
  /// Waits; an error that nobody has asked for is lost.
  ~Background();

  /// Wait for the piece before, and begin this one in any case. Throws the error of the piece before.
  void start(std::function<void()> work);

  /// Whether wait() would not wait.
  bool is_done() const;

  /// Wait for the last piece. Throws its error, once.
  void wait();

  /// The end of the last piece, for other threads to wait for; not valid if there is none.
  std::shared_future<void> end_of_last() const
  {
    return last_;
  }

private:
  std::shared_future<void> last_;
};
} // namespace strut::plugin
