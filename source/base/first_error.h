// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <exception>
#include <mutex>

namespace strut::cpu
{
/// Keeps an exception that a part of a parallel loop throws, which must not leave the part, for the
/// thread that started the loop.
class FirstError
{
public:
  /// Run a body and keep the exception that it throws, unless there is one already.
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

  /// Throw the exception, if there is one. After the loop.
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
