// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
/// From this size on an allocation has pages of its own, which the library gives back to the system: glibc's highest
/// threshold.
constexpr std::size_t least_huge_allocation = std::size_t(1) << 25;

/// Ask for pages of 2 MB in place of 4 kB for a large allocation that nobody has touched. The system makes and frees them
/// 512 times as rarely; many threads that touch new small pages wait for each other in the kernel. Many systems give huge pages
/// only to those that ask (`/sys/kernel/mm/transparent_hugepage/enabled` says 'madvise'). Where they are not to be had, nothing
/// happens.
inline void ask_for_huge_pages(void *const memory, const std::size_t bytes)
{
  if (bytes < least_huge_allocation)
    return;
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  const auto address            = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin    = (address + page - 1) / page * page;
  madvise(reinterpret_cast<void *>(begin), (address + bytes - begin) / page * page, MADV_HUGEPAGE);
#endif
}
} // namespace strut
