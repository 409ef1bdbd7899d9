// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

namespace strut::x86
{
/// Instruction sets of x86 processors, each with a bit of its own. A processor with AVX2 also has
/// F16C, LZCNT and MOVBE.
enum InstructionSet : unsigned int
{
  sse3            = 1u << 0,
  ssse3           = 1u << 1,
  sse4_1          = 1u << 2,
  sse4_2          = 1u << 3,
  popcnt          = 1u << 4,
  avx             = 1u << 5,
  avx2            = 1u << 6,
  fma             = 1u << 7,
  bmi             = 1u << 8,
  bmi2            = 1u << 9,
  avx512f         = 1u << 10,
  avx512cd        = 1u << 11,
  avx512bw        = 1u << 12,
  avx512dq        = 1u << 13,
  avx512vl        = 1u << 14,
  avx512ifma      = 1u << 15,
  avx512vbmi      = 1u << 16,
  avx512vbmi2     = 1u << 17,
  avx512vnni      = 1u << 18,
  avx512bitalg    = 1u << 19,
  avx512vpopcntdq = 1u << 20
};

/// The sets that the core was compiled for, as bits. Constants are no code: any processor may read
/// them.
extern const unsigned int required_instruction_sets;

/// The value of -march that the core was compiled with.
extern const char *const required_architecture;

/// The sets that this processor and its operating system have, as bits. Other processors than x86
/// have all.
unsigned int available_instruction_sets();

/// Writes the message about the missing sets, with the name of this processor. The text ends with
/// a line feed and a zero; what exceeds `size` characters is cut off.
void describe_missing_instruction_sets(unsigned int missing, char *text, std::size_t size);
} // namespace strut::x86
