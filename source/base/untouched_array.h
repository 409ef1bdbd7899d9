// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "source/base/huge_pages.h"

namespace strut::cpu
{
/// Allocates n values that no thread has written yet. The threads that fill them share the work of
/// providing the pages: see filled_vector().
template <typename T>
std::unique_ptr<T[]> untouched_array(const std::size_t n)
{
  static_assert(std::is_trivially_default_constructible_v<T>);
  std::unique_ptr<T[]> values(new T[n]);
  prefer_huge_pages(values.get(), n * sizeof(T));
  return values;
}
} // namespace strut::cpu
