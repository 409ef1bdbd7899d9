// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/precision.h>

namespace strut::cpu
{
/// Numbers that a SIMD instruction of strut's CPU code takes at once, with the instruction set for which it was
/// compiled (STRUT_MARCH).
unsigned int simd_lanes(Precision precision);
} // namespace strut::cpu
