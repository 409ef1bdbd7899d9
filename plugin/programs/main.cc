// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Each program: STRUT_PROGRAM is its function.

#include <cstddef>
#include <cstdlib>
#include <new>

#include "plugin/programs/program.h"
#include "source/base/huge_pages.h"

// The programs ask for huge pages for all of their large arrays, those of deal.II included: glibc itself does that only for
// whoever sets GLIBC_TUNABLES. The forms for arrays and those without exceptions call these.
void *operator new(const std::size_t bytes)
{
  void *memory = nullptr;
  while ((memory = std::malloc(bytes > 0 ? bytes : 1)) == nullptr)
    {
      if (std::get_new_handler() == nullptr)
        throw std::bad_alloc();
      std::get_new_handler()();
    }
  strut::ask_for_huge_pages(memory, bytes);
  return memory;
}

void operator delete(void *const memory) noexcept
{
  std::free(memory);
}

void operator delete(void *const memory, std::size_t) noexcept
{
  std::free(memory);
}

int main(int argc, char **argv)
{
  return strut::plugin::STRUT_PROGRAM(argc, argv);
}
