// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/simd_lanes.h"

namespace strut::cpu
{
unsigned int simd_lanes(const Precision precision)
{
#if defined(__AVX512F__)
  constexpr unsigned int in_double = 8;
#elif defined(__AVX__)
  constexpr unsigned int in_double = 4;
#else
  constexpr unsigned int in_double = 2;
#endif
  return precision == Precision::fp32 ? 2 * in_double : in_double;
}
} // namespace strut::cpu
