// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

namespace strut::cuda
{
/// Number of bits of the numbers below n, at least 1. A radix sort needs no others.
constexpr int n_key_bits(const std::size_t n)
{
  int bits = 1;
  while (n > std::size_t(1) << bits)
    ++bits;
  return bits;
}
} // namespace strut::cuda
