// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>

#include <cstddef>
#include <tuple>
#include <vector>

#include "source/base/bucket_sort.h"
#include "source/base/filled_vector.h"

namespace strut
{
/// The share of an element's stiffness in a row of StiffnessShares.
struct ElementShare
{
  LocalIndex row, element;
  float weight;

  bool operator<(const ElementShare &other) const
  {
    return std::tie(row, element, weight) < std::tie(other.row, other.element, other.weight);
  }
};

/// Makes rows from shares in any order.
inline StiffnessShares
rows_of_shares(const int n_threads, const std::size_t n_rows, std::vector<ElementShare> shares)
{
  cpu::bucket_sort(
    n_threads, n_rows, [](const ElementShare &share) { return share.row; }, shares);
  const std::size_t n = shares.size();
  StiffnessShares rows;
  rows.begin    = cpu::filled_vector(n_threads, n_rows + 1, static_cast<LocalIndex>(n));
  rows.elements = cpu::filled_vector<LocalIndex>(n_threads, n);
  rows.weights  = cpu::filled_vector<float>(n_threads, n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t k) {
    for (std::size_t row = k == 0 ? 0 : shares[k - 1].row + std::size_t(1); row <= shares[k].row;
         ++row)
      rows.begin[row] = static_cast<LocalIndex>(k);
    rows.elements[k] = shares[k].element;
    rows.weights[k]  = shares[k].weight;
  });
  return rows;
}
} // namespace strut
