// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/huge_pages.h"

#if defined(__linux__)
#  include <sys/mman.h>
#  include <unistd.h>
#endif

#include <cstdint>

namespace strut::cpu
{
void prefer_huge_pages(void *const memory, const std::size_t n_bytes)
{
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t least = std::size_t(32) << 20;
  if (n_bytes < least)
    return;
  // madvise() takes whole small pages
  const auto page  = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto first = (begin + page - 1) / page * page;
  const auto end   = (begin + n_bytes) / page * page;
  // it is advice: no error matters
  static_cast<void>(::madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE));
#else
  static_cast<void>(memory);
  static_cast<void>(n_bytes);
#endif
}
} // namespace strut::cpu
