// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/vertex_fingerprint.h"

#include <cassert>
#include <cstddef>
#include <cstring>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
/// The sum over the words of a list, each mixed with its index by one multiplication, which is as
/// fast as the memory.
template <typename Number>
std::uint64_t sum_of_words(const std::vector<Number> &numbers)
{
  constexpr std::size_t size = sizeof(std::uint64_t) / sizeof(Number);
  assert(numbers.size() % size == 0); // the eight vertices of elements
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      {
        std::uint64_t word = 0;
        std::memcpy(&word, numbers.data() + size * i, sizeof(word));
        word += 0x9e3779b97f4a7c15u * (i + 1);
        word = (word ^ word >> 32) * 0xbf58476d1ce4e5b9u;
        sum += word ^ word >> 29;
      }
    return sum;
  };
  std::uint64_t sum = 0;
  for (const std::uint64_t of_some :
       cpu::values_of_blocks(cpu::default_n_threads(), numbers.size() / size, of_block))
    sum += of_some;
  return sum;
}
} // namespace

VertexFingerprint vertex_fingerprint(const ElementMesh &mesh)
{
  return {mesh.n_elements, sum_of_words(mesh.coordinates), sum_of_words(mesh.connectivity)};
}
} // namespace strut
