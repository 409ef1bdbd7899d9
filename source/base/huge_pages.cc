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
  constexpr std::size_t least = std::size_t(32)
                                << 20; // from here on malloc asks the system for memory of its own
  const auto small = static_cast<std::uintptr_t>(
    ::sysconf(_SC_PAGESIZE)); // what is advised begins and ends with one
  if (n_bytes < least)
    return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto first = (begin + small - 1) / small * small;
  const auto end   = (begin + n_bytes) / small * small;
  static_cast<void>(::madvise(reinterpret_cast<void *>(first),
                              end - first,
                              MADV_HUGEPAGE)); // advice: no error matters
#else
  static_cast<void>(memory);
  static_cast<void>(n_bytes);
#endif
}
} // namespace strut::cpu
