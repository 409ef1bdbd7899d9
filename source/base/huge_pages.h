// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

namespace strut::cpu
{
/// Asks the system for large pages, usually of 2 MB, in memory that was not touched yet. The system
/// provides a page when it is first touched, and threads that touch many small pages wait for each
/// other. Linux uses large pages by default only if /sys/kernel/mm/transparent_hugepage/enabled
/// says so. If it forbids them, pages stay small.
///
/// Does nothing for less than 32 MB. From that size on the malloc of glibc takes memory from the
/// system and returns it later, unless configured otherwise. With another malloc the pages may stay
/// large for later users.
void prefer_huge_pages(void *memory, std::size_t n_bytes);
} // namespace strut::cpu
