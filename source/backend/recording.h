// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>

namespace strut
{
/// Work of a backend that is submitted repeatedly with the same arrays and numbers. It is recorded
/// once, then submitted as a whole, which costs the host one call. A recording must be destroyed
/// before its backend: a communicator of NCCL does not end while its messages are in a recording.
class Recording
{
public:
  virtual ~Recording() = default;

  /// Records what `work` submits, in place of an earlier recording; nothing is computed. `work`
  /// must not wait or allocate: let it run once before.
  ///
  /// @return false if the work cannot be recorded; then there is nothing to run
  virtual bool record(const std::function<void()> &work) = 0;

  /// Submits the recorded work, after all work submitted before.
  virtual void run() = 0;
};
} // namespace strut
