// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/nbn.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
/// The reverse connectivity C_rev in compressed rows, with the names of NodeToElement.
template <int n_element_nodes>
class CompressedRows
{
public:
  struct Row
  {
    const LocalIndex *__restrict__ entries;
    LocalIndex count;

    __device__ std::size_t element(const LocalIndex k) const
    {
      return entries[k] / n_element_nodes;
    }
    __device__ int vertex(const LocalIndex k) const
    {
      return static_cast<int>(entries[k] % n_element_nodes);
    }
  };
  struct View
  {
    const LocalIndex *__restrict__ begin;   ///< `[n_nodes + 1]`
    const LocalIndex *__restrict__ entries; ///< entries of NodeToElement
    std::size_t n_nodes;

    __device__ Row row(const std::size_t n) const
    {
      return {entries + begin[n], begin[n + 1] - begin[n]};
    }
  };

  CompressedRows(Memory &memory, const NodeToElement &map)
    : begin_(memory, map.begin), entries_(memory, map.entries)
  {}

  View view() const
  {
    return {begin_.data(), entries_.data(), begin_.size() - 1};
  }
  double bytes() const
  {
    return sizeof(LocalIndex) * static_cast<double>(begin_.size() + entries_.size());
  }
  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return sizeof(LocalIndex) * (1. * n_element_nodes * n_elements + n_nodes + 1.);
  }

private:
  Array<LocalIndex> begin_;
  Array<LocalIndex> entries_;
};

template <typename Number, int n_components, int n_element_nodes>
using Nbn = NodeByNode<Number, CompressedRows<n_element_nodes>, n_components, n_element_nodes>;
} // namespace

/// The strategy `nbn`: one thread per node.
StrategyPair nbn()
{
  return strategy_pair_of_elements<Nbn>(
    "nbn", "1 thread per node, reads 3 rows of each neighbour's matrix, plain stores", true);
}
} // namespace strut::cuda
