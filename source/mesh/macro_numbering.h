// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "source/base/filled_vector.h"
#include "source/mesh/macro_nodes.h"

namespace strut
{
/// The numbers of the nodes that consecutive elements have first, by their names: those that a rank
/// owns, or all.
class MacroNumbering
{
public:
  MacroNumbering() = default;

  /// @param begin  first of the n elements of this rank
  MacroNumbering(const MacroNodes &nodes,
                 const std::uint64_t begin,
                 const std::size_t n,
                 const int n_threads)
    : begin_(begin)
    , firsts_(cpu::filled_vector<std::uint8_t>(n_threads, n))
    , before_(cpu::filled_vector<LocalIndex>(n_threads, n + 1))
  {
    constexpr std::size_t size = 4096; // of a block
    std::vector<LocalIndex> before_block((n + size - 1) / size + 1, 0);
    cpu::parallel_for_long(n_threads, before_block.size() - 1, [&](const std::size_t block) {
      LocalIndex sum = 0;
      for (std::size_t e = block * size; e < std::min(n, (block + 1) * size); ++e)
        {
          firsts_[e]     = firsts_of(nodes, begin_ + e);
          before_[e + 1] = sum += n_first(e, 8);
        }
      before_block[block + 1] = sum;
    });
    std::partial_sum(before_block.begin(), before_block.end(), before_block.begin());
    cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
      before_[e + 1] += before_block[e / size];
    });
  }

  std::size_t n_owned() const
  {
    return before_.back();
  }
  /// Whether this rank owns a node of its elements or of their parents.
  bool owns(const std::uint64_t name) const
  {
    return name >= 8 * begin_;
  }
  /// Whether an element of this rank is the first at its vertex v.
  bool is_first(const std::uint64_t element, const unsigned int v) const
  {
    return (firsts_[element - begin_] >> v & 1u) != 0;
  }
  LocalIndex operator()(const std::uint64_t name) const
  {
    const std::size_t e = name / 8 - begin_;
    return before_[e] + n_first(e, name % 8);
  }

private:
  static std::uint8_t firsts_of(const MacroNodes &nodes, const std::uint64_t element)
  {
    if (nodes.is_inside(element))
      return 1u << 7;
    const auto names    = nodes.names(element);
    unsigned int firsts = 0;
    for (unsigned int v = 0; v < 8; ++v)
      if (names[v] == 8 * element + v)
        firsts |= 1u << v;
    return static_cast<std::uint8_t>(firsts);
  }

  /// Number of nodes among the first n vertices of element e that it has first.
  LocalIndex n_first(const std::size_t e, const std::uint64_t n) const
  {
    return static_cast<LocalIndex>(__builtin_popcount(firsts_[e] & ((1u << n) - 1)));
  }

  std::uint64_t begin_ = 0;
  std::vector<std::uint8_t> firsts_; ///< for each element a bit for each vertex that it has first
  std::vector<LocalIndex> before_ = {0}; ///< number of owned nodes of earlier elements
};

/// The nodes of some elements by their vertices, with those that other ranks own.
class MacroVertices
{
public:
  /// @param set  called with the node of each vertex: set(e, v, number), e < n for the element
  ///   `first + e`
  template <typename Set>
  MacroVertices(const MacroNodes &nodes,
                const MacroNumbering &numbering,
                const std::uint64_t first,
                const std::size_t n,
                const int n_threads,
                const Set &set)
  {
    for (const std::vector<Vertex> &of_block :
         cpu::values_of_blocks(n_threads, n, [&](const std::size_t begin, const std::size_t end) {
           std::vector<Vertex> found;
           for (std::size_t e = begin; e < end; ++e)
             {
               const auto names = nodes.names(first + e);
               for (unsigned int v = 0; v < 8; ++v)
                 if (numbering.owns(names[v]))
                   set(e, v, numbering(names[v]));
                 else
                   found.push_back(Vertex{names[v], e, v});
             }
           return found;
         }))
      of_others_.insert(of_others_.end(), of_block.begin(), of_block.end());
    for (const Vertex &vertex : of_others_)
      ghosts_.push_back(vertex.name);
    std::sort(ghosts_.begin(), ghosts_.end());
    ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end()), ghosts_.end());
    for (const Vertex &vertex : of_others_)
      set(vertex.e,
          vertex.v,
          static_cast<LocalIndex>(
            numbering.n_owned() +
            static_cast<std::size_t>(std::lower_bound(ghosts_.begin(), ghosts_.end(), vertex.name) -
                                     ghosts_.begin())));
  }

  /// Names of the nodes of other ranks, ascending and each once. Their numbers follow those of the
  /// owned nodes.
  const std::vector<std::uint64_t> &ghosts() const
  {
    return ghosts_;
  }

  /// Calls body(e, v) for the vertices at nodes of other ranks.
  template <typename Body>
  void for_each_of_others(const Body &body) const
  {
    for (const Vertex &vertex : of_others_)
      body(vertex.e, vertex.v);
  }

private:
  struct Vertex
  {
    std::uint64_t name;
    std::size_t e;
    unsigned int v;
  };

  std::vector<Vertex> of_others_;
  std::vector<std::uint64_t> ghosts_;
};
} // namespace strut
