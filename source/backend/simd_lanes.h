// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/precision.h>

namespace strut::cpu
{
/// Number of lanes of a SIMD instruction of strut's CPU code, with the instruction set for which it
/// was compiled (STRUT_MARCH).
unsigned int simd_lanes(Precision precision);
} // namespace strut::cpu
