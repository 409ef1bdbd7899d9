// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <initializer_list>

namespace strut
{
/// How often all element counts of a mesh can be halved. This is the number of global refinements
/// that make the fine mesh from a coarse one. A multigrid method gets a level from each of them.
inline unsigned int common_halvings(const std::initializer_list<unsigned int> counts)
{
  // The lowest bit set in any count: its power of two divides every count.
  unsigned int bits = 0;
  for (const unsigned int count : counts)
    bits |= count;
  return bits == 0 ? 0 : static_cast<unsigned int>(__builtin_ctz(bits));
}
} // namespace strut
