// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "source/base/connected.h"
#include "source/base/filled_vector.h"

namespace strut
{
/// Union-find for the numbers 0 to n - 1. Threads may unite() concurrently.
class Forest
{
public:
  explicit Forest(const std::size_t n, const int n_threads = 1)
    : parent_(cpu::filled_vector<std::uint32_t>(n_threads, n))
  {
    cpu::parallel_for(n_threads, n, [this](const std::size_t i) {
      parent_[i] = static_cast<std::uint32_t>(i);
    });
  }

  void unite(const std::size_t a, const std::size_t b)
  {
    connected::unite(parent_.data(), static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }

  /// The lowest number that is connected with i.
  std::uint32_t root(const std::size_t i)
  {
    return connected::root(parent_.data(), static_cast<std::uint32_t>(i));
  }

  /// The tree of each number. Trees are numbered in the order of their roots.
  ///
  /// @param n_trees  on return, the number of trees
  std::vector<std::uint32_t> trees(std::size_t &n_trees)
  {
    std::vector<std::uint32_t> tree(parent_.size());
    n_trees = 0;
    for (std::size_t i = 0; i < tree.size(); ++i)
      {
        const std::uint32_t r = root(i);
        tree[i]               = r == i ? static_cast<std::uint32_t>(n_trees++) : tree[r];
      }
    return tree;
  }

  /// Returns root() of each number, in the memory of the forest.
  std::vector<std::uint32_t> roots(const int n_threads) &&
  {
    cpu::parallel_for(n_threads, parent_.size(), [this](const std::size_t i) {
      const std::uint32_t r = root(i);
      if (r != i) // other threads do not store into a root
        __atomic_store_n(&parent_[i], r, __ATOMIC_RELAXED);
    });
    return std::move(parent_);
  }

private:
  std::vector<std::uint32_t> parent_;
};
} // namespace strut
