// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <future>

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
} // namespace strut
