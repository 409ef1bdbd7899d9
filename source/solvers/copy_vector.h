// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/multigrid_operations.h"

#include <strut/backend/backend.h>

#include <cstddef>
#include <type_traits>

namespace strut
{
/// Copies y_i = x_i for i < n, rounded where y is in float and x is not.
template <typename From, typename To>
void copy_vector(const Backend &backend, const std::size_t n, const Array<From> &x, Array<To> &y)
{
  if constexpr (std::is_same<From, To>::value)
    backend.vector_operations<To>().copy(n, x, y);
  else
    backend.level_operations().convert(n, x, y);
}
} // namespace strut
