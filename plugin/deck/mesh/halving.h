// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <initializer_list>

namespace strut::plugin
{
/// How often all element counts of a mesh can be halved: so many global refinements make the fine
/// mesh out of a coarse one, and so many levels has a multigrid method on it.
inline unsigned int common_halvings(const std::initializer_list<unsigned int> counts)
{
  // The lowest bit that is set in any of the counts: every count has at least its power as a factor.
  unsigned int bits = 0;
  for (const unsigned int count : counts)
    bits |= count;
  return bits == 0 ? 0 : static_cast<unsigned int>(__builtin_ctz(bits));
}
} // namespace strut::plugin
