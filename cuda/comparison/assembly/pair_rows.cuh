// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/assembly/element_lists.h"
#include "cuda/comparison/assembly/neighbour_rows.h"

#include <thrust/binary_search.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cstdint>

/// Conversion of sorted pairs of a node and a neighbour to the rows.
namespace strut::cuda
{
/// A node and a neighbour as one number, which sorts by node, then by neighbour.
struct PairKey
{
  int neighbour_bits;

  __host__ __device__ std::uint64_t operator()(const LocalIndex node,
                                               const LocalIndex neighbour) const
  {
    return std::uint64_t(node) << neighbour_bits | neighbour;
  }

  /// Returns node and neighbour.
  __host__ __device__ thrust::tuple<LocalIndex, LocalIndex>
  operator()(const std::uint64_t key) const
  {
    return {static_cast<LocalIndex>(key >> neighbour_bits),
            static_cast<LocalIndex>(key & ((std::uint64_t(1) << neighbour_bits) - 1))};
  }
};

/// The last steps for sorted keys with repetitions, `[n_listed]`.
///
/// Formula:   the distinct keys in their order; begin[r] = number of keys of the nodes below r.
/// Layout:    the nodes of the keys in an array of their own, for the searches.
/// Threads:   those of Thrust: unique_count() and unique_copy() over the keys, a search per node.
/// Bytes:     the keys twice, 8 written per pair of neighbours, 8 per node.
/// Determinism: the result is unique.
template <typename Keys>
void rows_of_keys(const RowTask &task, const Keys &keys, const PairKey &key)
{
  NeighbourMatrix &result = task.result;
  Memory &memory          = task.backend.memory();
  const auto end          = keys + static_cast<std::ptrdiff_t>(task.n_listed());
  timed_step(task.backend, task.report, "count", task.bytes_of_lists(), [&]() {
    result.n_pairs = with_thrust(task.context, task.scratch, [&](const auto &policy) {
      return static_cast<std::size_t>(thrust::unique_count(policy, keys, end));
    });
  });
  result.nodes = Array<LocalIndex>(memory, result.n_pairs);
  Array<LocalIndex> rows(memory, result.n_pairs);
  const double out = sizeof(LocalIndex) * static_cast<double>(result.n_pairs);
  timed_step(task.backend, task.report, "rows", task.bytes_of_lists() + out, [&]() {
    const auto pairs = thrust::make_transform_output_iterator(
      thrust::make_zip_iterator(thrust::make_tuple(rows.data(), result.nodes.data())), key);
    const thrust::counting_iterator<LocalIndex> nodes(0);
    with_thrust(task.context, task.scratch, [&](const auto &policy) {
      thrust::unique_copy(policy, keys, end, pairs);
      thrust::lower_bound(policy,
                          rows.data(),
                          rows.data() + rows.size(),
                          nodes,
                          nodes + static_cast<std::ptrdiff_t>(result.n_nodes + 1),
                          result.begin.data());
    });
    result.longest_row = longest_range(task.context, task.scratch, result.begin, result.n_nodes);
  });
}
} // namespace strut::cuda
