// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/comparators/parts.h"
#include "cuda/operators/nbn.cuh"

namespace strut::cuda
{
namespace
{
constexpr LocalIndex n_around = 8;                ///< elements around a node, at most
constexpr LocalIndex width    = 2 * n_around + 1; ///< numbers of a node in the table

/// The reverse connectivity C_rev as the thesis stores it (Ratnakar 2022, figure 3.5). A node has
/// up to 8 elements, their number, and its index among the vertices of each.
///
/// @tparam by_columns  `[17][n_nodes]`; else `[n_nodes][17]`
template <bool by_columns>
class Table
{
public:
  struct Row
  {
    const LocalIndex *__restrict__ numbers; ///< the first number of the node
    std::size_t step;                       ///< distance between neighbouring numbers
    LocalIndex count;

    __device__ std::size_t element(const LocalIndex k) const
    {
      return numbers[step * k];
    }
    __device__ int vertex(const LocalIndex k) const
    {
      return static_cast<int>(numbers[step * (n_around + 1 + k)]);
    }
  };
  struct View
  {
    const LocalIndex *__restrict__ table;
    std::size_t n_nodes;

    __device__ Row row(const std::size_t n) const
    {
      const std::size_t step          = by_columns ? n_nodes : 1;
      const LocalIndex *const numbers = table + (by_columns ? n : width * n);
      return {numbers, step, numbers[step * n_around]};
    }
  };

  /// Throws Error if more than 8 elements are around a node.
  Table(Memory &memory, const NodeToElement &map)
    : table_(memory, made(map)), n_nodes_(map.begin.size() - 1)
  {}

  View view() const
  {
    return {table_.data(), n_nodes_};
  }
  double bytes() const
  {
    return sizeof(LocalIndex) * static_cast<double>(table_.size());
  }
  static double memory_estimate(const std::size_t, const std::size_t n_nodes)
  {
    return sizeof(LocalIndex) * static_cast<double>(width) * n_nodes;
  }

private:
  static std::vector<LocalIndex> made(const NodeToElement &map)
  {
    const std::size_t n_nodes = map.begin.size() - 1;
    std::vector<LocalIndex> table(width * n_nodes);
    for (std::size_t n = 0; n < n_nodes; ++n)
      {
        const auto number = [&](const LocalIndex i) -> LocalIndex & {
          return table[by_columns ? i * n_nodes + n : width * n + i];
        };
        const LocalIndex begin = map.begin[n], count = map.begin[n + 1] - begin;
        if (count > n_around)
          throw Error("C_rev as a table has room for 8 elements around a node; there are " +
                      std::to_string(count) + '.');
        number(n_around) = count;
        for (LocalIndex k = 0; k < count; ++k)
          {
            number(k)                = map.entries[begin + k] / 8;
            number(n_around + 1 + k) = map.entries[begin + k] % 8;
          }
      }
    return table;
  }

  Array<LocalIndex> table_;
  std::size_t n_nodes_;
};

template <typename Number>
using NbnTable = NodeByNode<Number, Table<false>>;
template <typename Number>
using NbnColumns = NodeByNode<Number, Table<true>>;
} // namespace

std::vector<StrategyPair> nbn_tables()
{
  return {strategy_pair<NbnTable>("nbn (table)", "nbn with C_rev in rows of 17 numbers", true),
          strategy_pair<NbnColumns>("nbn (columns)", "nbn with C_rev in 17 columns", true)};
}
} // namespace strut::cuda
