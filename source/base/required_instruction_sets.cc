// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Compiled with -march of the core: the compiler defines a name for each instruction set.
#include "source/base/instruction_sets.h"

#ifndef STRUT_MARCH
#  define STRUT_MARCH "native"
#endif

namespace strut::x86
{
const char *const required_architecture = STRUT_MARCH;

const unsigned int required_instruction_sets = 0u
#ifdef __SSE3__
                                               | sse3
#endif
#ifdef __SSSE3__
                                               | ssse3
#endif
#ifdef __SSE4_1__
                                               | sse4_1
#endif
#ifdef __SSE4_2__
                                               | sse4_2
#endif
#ifdef __POPCNT__
                                               | popcnt
#endif
#ifdef __AVX__
                                               | avx
#endif
#ifdef __AVX2__
                                               | avx2
#endif
#ifdef __FMA__
                                               | fma
#endif
#ifdef __BMI__
                                               | bmi
#endif
#ifdef __BMI2__
                                               | bmi2
#endif
#ifdef __AVX512F__
                                               | avx512f
#endif
#ifdef __AVX512CD__
                                               | avx512cd
#endif
#ifdef __AVX512BW__
                                               | avx512bw
#endif
#ifdef __AVX512DQ__
                                               | avx512dq
#endif
#ifdef __AVX512VL__
                                               | avx512vl
#endif
#ifdef __AVX512IFMA__
                                               | avx512ifma
#endif
#ifdef __AVX512VBMI__
                                               | avx512vbmi
#endif
#ifdef __AVX512VBMI2__
                                               | avx512vbmi2
#endif
#ifdef __AVX512VNNI__
                                               | avx512vnni
#endif
#ifdef __AVX512BITALG__
                                               | avx512bitalg
#endif
#ifdef __AVX512VPOPCNTDQ__
                                               | avx512vpopcntdq
#endif
  ;
} // namespace strut::x86
