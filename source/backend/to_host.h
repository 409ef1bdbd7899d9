// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <vector>

#include "source/base/filled_vector.h"

namespace strut
{
/// Array::to_host() of a large array: all threads make the vector, not one. @param memory  that the array is in
template <typename T>
std::vector<T> to_host(Memory &memory, const Array<T> &x)
{
  std::vector<T> values = cpu::filled_vector<T>(cpu::default_n_threads(), x.size());
  if (!x.empty())
    memory.copy_to_host(values.data(), x.data(), x.size() * sizeof(T));
  return values;
}
} // namespace strut
