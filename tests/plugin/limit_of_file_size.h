// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sys/resource.h>

#include <csignal>
#include <cstddef>

namespace strut
{
/// Limits the size of this process's files during its life, to imitate a full disk.
class LimitOfFileSize
{
public:
  explicit LimitOfFileSize(const std::size_t n_bytes)
  {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit   = before_;
    limit.rlim_cur = n_bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LimitOfFileSize()
  {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  LimitOfFileSize(const LimitOfFileSize &)            = delete;
  LimitOfFileSize &operator=(const LimitOfFileSize &) = delete;

private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};
} // namespace strut
