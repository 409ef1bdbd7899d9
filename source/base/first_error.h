// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <exception>
#include <mutex>

namespace strut::cpu
{
/// Keeps an exception of a parallel loop for the thread that started the loop. The exception must
/// not leave the part that throws it.
class FirstError
{
public:
  /// Runs a body and keeps its exception, unless one is kept already.
  template <typename Body>
  void guard(const Body &body) noexcept
  {
    try
      {
        body();
      }
    catch (...)
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (error_ == nullptr)
          error_ = std::current_exception();
      }
  }

  /// Throws the exception, if there is one. It must be called after the loop.
  void rethrow() const
  {
    if (error_ != nullptr)
      std::rethrow_exception(error_);
  }

private:
  std::mutex mutex_;
  std::exception_ptr error_;
};
} // namespace strut::cpu
