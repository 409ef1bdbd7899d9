// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Compiled for every x86-64 processor, whatever the core is compiled for. The code uses the C
// library alone: the linker might replace a function of a C++ header by the copy of another file.
#include "source/base/instruction_sets.h"

#include <unistd.h>
#if defined(__x86_64__)
#  include <cpuid.h>
#endif

#include <cstdio>
#include <cstring>

namespace strut::x86
{
namespace
{
struct NamedSet
{
  unsigned int bit;
  const char *name;
};

constexpr NamedSet named_sets[] = {{sse3, "SSE3"},
                                   {ssse3, "SSSE3"},
                                   {sse4_1, "SSE4.1"},
                                   {sse4_2, "SSE4.2"},
                                   {popcnt, "POPCNT"},
                                   {avx, "AVX"},
                                   {avx2, "AVX2"},
                                   {fma, "FMA"},
                                   {bmi, "BMI"},
                                   {bmi2, "BMI2"},
                                   {avx512f, "AVX512F"},
                                   {avx512cd, "AVX512CD"},
                                   {avx512bw, "AVX512BW"},
                                   {avx512dq, "AVX512DQ"},
                                   {avx512vl, "AVX512VL"},
                                   {avx512ifma, "AVX512IFMA"},
                                   {avx512vbmi, "AVX512VBMI"},
                                   {avx512vbmi2, "AVX512VBMI2"},
                                   {avx512vnni, "AVX512VNNI"},
                                   {avx512bitalg, "AVX512BITALG"},
                                   {avx512vpopcntdq, "AVX512VPOPCNTDQ"}};

/// The name that the processor gives itself, without blanks in front.
void name_of_processor(char (&name)[49])
{
  std::strcpy(name, "of an unknown name");
#if defined(__x86_64__)
  unsigned int words[12] = {};
  if (__get_cpuid_max(0x80000000u, nullptr) < 0x80000004u)
    return;
  for (unsigned int part = 0; part < 3; ++part)
    __get_cpuid(0x80000002u + part,
                &words[4 * part],
                &words[4 * part + 1],
                &words[4 * part + 2],
                &words[4 * part + 3]);
  const char *begin   = reinterpret_cast<const char *>(words);
  const char *const e = begin + sizeof(words);
  while (begin < e && *begin == ' ')
    ++begin;
  if (begin == e || *begin == '\0')
    return;
  std::memset(name, 0, sizeof(name));
  std::memcpy(name, begin, static_cast<std::size_t>(e - begin));
#endif
}

/// Appends to a text in an array of `size` characters.
void append(char *const text, const std::size_t size, const char *const more)
{
  const std::size_t length = std::strlen(text);
  std::snprintf(text + length, size - length, "%s", more);
}

void append_names(char *const text, const std::size_t size, const unsigned int sets)
{
  const char *separator = "";
  for (const NamedSet &set : named_sets)
    if ((sets & set.bit) != 0)
      {
        append(text, size, separator);
        append(text, size, set.name);
        separator = ", ";
      }
}

/// Ends the process with a message where the core could not run. The library calls this function
/// before all of its other code: it comes before the constructors of global objects.
__attribute__((constructor(101))) void require_instruction_sets()
{
  const unsigned int missing = required_instruction_sets & ~available_instruction_sets();
  if (missing == 0)
    return;
  char text[1024];
  describe_missing_instruction_sets(missing, text, sizeof(text));
  // The result does not matter: the process ends.
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text, std::strlen(text));
  _exit(1);
}
} // namespace

unsigned int available_instruction_sets()
{
#if defined(__x86_64__)
  unsigned int sets = 0;
  __builtin_cpu_init();
  // The compiler wants the names as literals.
#  define STRUT_ADD_IF_AVAILABLE(bit, name) \
    if (__builtin_cpu_supports(name))       \
      sets |= bit;
  STRUT_ADD_IF_AVAILABLE(sse3, "sse3")
  STRUT_ADD_IF_AVAILABLE(ssse3, "ssse3")
  STRUT_ADD_IF_AVAILABLE(sse4_1, "sse4.1")
  STRUT_ADD_IF_AVAILABLE(sse4_2, "sse4.2")
  STRUT_ADD_IF_AVAILABLE(popcnt, "popcnt")
  STRUT_ADD_IF_AVAILABLE(avx, "avx")
  STRUT_ADD_IF_AVAILABLE(avx2, "avx2")
  STRUT_ADD_IF_AVAILABLE(fma, "fma")
  STRUT_ADD_IF_AVAILABLE(bmi, "bmi")
  STRUT_ADD_IF_AVAILABLE(bmi2, "bmi2")
  STRUT_ADD_IF_AVAILABLE(avx512f, "avx512f")
  STRUT_ADD_IF_AVAILABLE(avx512cd, "avx512cd")
  STRUT_ADD_IF_AVAILABLE(avx512bw, "avx512bw")
  STRUT_ADD_IF_AVAILABLE(avx512dq, "avx512dq")
  STRUT_ADD_IF_AVAILABLE(avx512vl, "avx512vl")
  STRUT_ADD_IF_AVAILABLE(avx512ifma, "avx512ifma")
  STRUT_ADD_IF_AVAILABLE(avx512vbmi, "avx512vbmi")
  STRUT_ADD_IF_AVAILABLE(avx512vbmi2, "avx512vbmi2")
  STRUT_ADD_IF_AVAILABLE(avx512vnni, "avx512vnni")
  STRUT_ADD_IF_AVAILABLE(avx512bitalg, "avx512bitalg")
  STRUT_ADD_IF_AVAILABLE(avx512vpopcntdq, "avx512vpopcntdq")
#  undef STRUT_ADD_IF_AVAILABLE
  return sets;
#else
  return ~0u;
#endif
}

void describe_missing_instruction_sets(const unsigned int missing,
                                       char *const text,
                                       const std::size_t size)
{
  char processor[49];
  name_of_processor(processor);
  text[0] = '\0';
  append(text, size, "strut: error: this processor, ");
  append(text, size, processor);
  append(text, size, ", lacks instructions that this strut uses: ");
  append_names(text, size, missing);
  append(text, size, ".\n  This strut was compiled with -march=");
  append(text, size, required_architecture);
  append(text, size, ", and needs ");
  append_names(text, size, required_instruction_sets);
  append(text,
         size,
         ".\n  Use a newer processor (Intel since Haswell, AMD since Excavator have AVX2),\n"
         "  or build strut on this machine: ./run.sh in its source.\n");
}
} // namespace strut::x86
