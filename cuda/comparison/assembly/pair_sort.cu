// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/key_bits.h"
#include "cuda/comparison/assembly/pair_rows.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <thrust/tabulate.h>

namespace strut::cuda
{
namespace
{
/// Computes key t of npe^2 n_elements keys, from element t % n_elements and two of its nodes.
struct KeyOfPair
{
  const LocalIndex *nodes; ///< `[npe][n_elements]`
  std::size_t n_elements;
  LocalIndex npe;
  PairKey key;

  __host__ __device__ std::uint64_t operator()(const std::size_t t) const
  {
    const std::size_t e   = t % n_elements;
    const LocalIndex pair = static_cast<LocalIndex>(t / n_elements);
    return key(nodes[pair / npe * n_elements + e], nodes[pair % npe * n_elements + e]);
  }
};

auto radix_sort(const RowTask &task, const int n_bits, cub::DoubleBuffer<std::uint64_t> &keys)
{
  const cudaStream_t stream = task.context.activate();
  const auto n              = static_cast<std::int64_t>(task.n_listed());
  return [=, &keys](void *scratch, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, n, 0, n_bits, stream);
  };
}
} // namespace

/// NeighbourSort::pairs: one sort of all pairs of nodes that share an element, then removal of
/// repetitions.
///
/// Formula:   keys node 2^b + neighbour, b bits being enough for a number of a node.
/// Layout:    `[npe][npe][n_elements]`: neighbouring threads read and write neighbouring words.
/// Threads:   one per key, then those of CUB's radix sort and of Thrust. thrust::sort() would sort
///            by 64 bits. CUB's function sorts by the 2 b bits of the keys: 40 for a million nodes.
/// Bytes:     per key, 8 to make it, 8 to count the digits, 16 for each 8 bits: 96 for a million
///            nodes.
/// Determinism: the result is unique.
void sort_pairs(const RowTask &task)
{
  Memory &memory    = task.backend.memory();
  const int n_bits  = n_key_bits(task.result.n_nodes);
  const PairKey key = {n_bits};
  Array<std::uint64_t> keys(memory, task.n_listed()), other(memory, task.n_listed());
  cub::DoubleBuffer<std::uint64_t> buffer(keys.data(), other.data());
  const auto sort = radix_sort(task, 2 * n_bits, buffer);
  reserve_for(task.scratch, sort);
  const double bytes = 2. * task.bytes_of_lists(); // Bytes of the keys, each once.
  timed_step(task.backend, task.report, "pairs", task.bytes_in() + bytes, [&]() {
    const KeyOfPair key_of = {task.connectivity.nodes.data(),
                              task.connectivity.n_elements,
                              static_cast<LocalIndex>(task.nodes_per_element()),
                              key};
    with_thrust(task.context, [&](const auto &policy) {
      thrust::tabulate(policy, keys.data(), keys.data() + keys.size(), key_of);
    });
  });
  timed_step(task.backend, task.report, "sort", 2. * bytes, [&]() { run_cub(task.scratch, sort); });
  if (buffer.Current() != keys.data())
    keys.swap(other);
  other = Array<std::uint64_t>();
  rows_of_keys(task, static_cast<const std::uint64_t *>(keys.data()), key);
}
} // namespace strut::cuda
