// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cstdint>

namespace strut
{
/// Union-find for connected numbers, by a forest whose parents have lower numbers: parent <= child.
/// Threads unite trees concurrently without locks (Jaiganesh and Burtscher 2018). The remaining
/// roots do not depend on the order of the threads.
namespace connected
{
/// Sets *p to `desired` if it is `expected`.
///
/// @return the old value
STRUT_HOST_DEVICE inline std::uint32_t
exchange(std::uint32_t *const p, std::uint32_t expected, const std::uint32_t desired)
{
#ifdef __CUDA_ARCH__
  return atomicCAS(p, expected, desired);
#else
  __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
#endif
}

STRUT_HOST_DEVICE inline std::uint32_t load(const std::uint32_t *const p)
{
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile std::uint32_t *>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}

/// Returns the root of i, and halves the path for later calls.
STRUT_HOST_DEVICE inline std::uint32_t root(std::uint32_t *const parent, std::uint32_t i)
{
  std::uint32_t p = load(parent + i);
  while (p != i)
    {
      const std::uint32_t grandparent = load(parent + p);
      if (grandparent != p)
        exchange(parent + i, p, grandparent);
      i = p;
      p = grandparent;
    }
  return i;
}

STRUT_HOST_DEVICE inline void unite(std::uint32_t *const parent, std::uint32_t a, std::uint32_t b)
{
  while (true)
    {
      a = root(parent, a);
      b = root(parent, b);
      if (a == b)
        return;
      const std::uint32_t upper = a < b ? b : a;
      if (exchange(parent + upper, upper, a < b ? a : b) == upper)
        return;
    }
}
} // namespace connected
} // namespace strut
