// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

namespace strut::cpu
{
/// Ask the system for large pages, of 2 MB as a rule, in memory that nobody has touched yet. The system makes a page when it is first
/// touched, and threads that touch many small ones at a time wait for each other in it. Linux makes large ones unasked only where
/// /sys/kernel/mm/transparent_hugepage/enabled says so, and small ones where nobody may have others.
///
/// Does nothing for less than 32 MB. From there on the malloc of glibc takes memory from the system and gives it back later, unless it
/// was told otherwise; with another malloc the pages may stay large for whoever gets them next.
void prefer_huge_pages(void *memory, std::size_t n_bytes);
} // namespace strut::cpu
