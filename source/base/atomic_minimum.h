// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <atomic>

namespace strut
{
/// Lowers a number to `value` if that is less. Several threads may call it at the same time.
template <typename Number>
void lower(std::atomic<Number> &number, const Number value)
{
  Number now = number.load(std::memory_order_relaxed);
  while (value < now && !number.compare_exchange_weak(now, value, std::memory_order_relaxed))
    {}
}
} // namespace strut
