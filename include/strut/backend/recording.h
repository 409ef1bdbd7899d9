// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>

namespace strut
{
/// Work of a backend that is submitted again and again, with the same arrays and numbers: recorded once, then submitted as a
/// whole, which costs the host one call. It goes before its backend: a communicator of NCCL does not end while its
/// messages are in a recording.
class Recording
{
public:
  virtual ~Recording() = default;

  /// Take down what `work` submits, in place of what was recorded before; nothing is computed. `work` waits for nothing, and
  /// allocates nothing: let it run once before.
  ///
  /// @return false if it cannot be recorded after all; then there is nothing to run
  virtual bool record(const std::function<void()> &work) = 0;

  /// Submit it, after what was submitted before.
  virtual void run() = 0;
};
} // namespace strut
