// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/assembly/element_lists.h"
#include "cuda/assembly/key_bits.h"
#include "cuda/base/thrust_policy.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <thrust/binary_search.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>

#include <utility>

namespace strut::cuda
{
namespace
{
/// The node of incidence t, which is place t % npe of element t / npe.
struct NodeOfIncidence
{
  const LocalIndex *nodes; ///< `[npe][n_elements]`
  std::size_t n_elements;
  LocalIndex npe;

  __host__ __device__ LocalIndex operator()(const std::size_t t) const
  {
    const LocalIndex incidence = static_cast<LocalIndex>(t); // check() allows no more
    return nodes[incidence % npe * n_elements + incidence / npe];
  }
};

template <typename Index>
struct RangeLength
{
  const Index *begin;

  __host__ __device__ Index operator()(const std::size_t i) const
  {
    return begin[i + 1] - begin[i];
  }
};

/// By the bits that numbers of nodes have: 20 of 32 for a million.
auto radix_sort(const Context &context,
                const std::size_t n_nodes,
                const std::size_t n,
                cub::DoubleBuffer<LocalIndex> &keys,
                cub::DoubleBuffer<LocalIndex> &values)
{
  const cudaStream_t stream = context.activate();
  return [=, &keys, &values](void *scratch, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(
      scratch, bytes, keys, values, static_cast<std::int64_t>(n), 0, n_key_bits(n_nodes), stream);
  };
}
} // namespace

ElementLists::ElementLists(const Context &context,
                           Memory &memory,
                           const ConnectivityArrays &connectivity,
                           Scratch &scratch)
  : context_(context)
  , connectivity_(connectivity)
  , scratch_(scratch)
  , nodes_(memory, connectivity.n_incidences())
  , other_nodes_(memory, connectivity.n_incidences())
  , incidences_(memory, connectivity.n_incidences())
  , other_incidences_(memory, connectivity.n_incidences())
{
  cub::DoubleBuffer<LocalIndex> keys(nodes_.data(), other_nodes_.data());
  cub::DoubleBuffer<LocalIndex> values(incidences_.data(), other_incidences_.data());
  reserve_for(scratch,
              radix_sort(context, connectivity.n_nodes, connectivity.n_incidences(), keys, values));
}

/// Formula:   pairs (node of t, t), t < npe n_elements, sorted by node; stable
/// Threads:   one per pair, then those of CUB's radix sort
/// Bytes:     per pair, 12 to make it, 4 to count the digits, and 16 for each 8 bits of the numbers of
///            nodes: 64 for a million nodes
/// Determinism: the sort is stable, and has one result
void ElementLists::sort()
{
  const std::size_t n           = connectivity_.n_incidences();
  const NodeOfIncidence node_of = {connectivity_.nodes.data(),
                                   connectivity_.n_elements,
                                   static_cast<LocalIndex>(connectivity_.nodes_per_element)};
  with_thrust(context_, [&](const auto &policy) {
    thrust::tabulate(policy, nodes_.data(), nodes_.data() + n, node_of);
    thrust::sequence(policy, incidences_.data(), incidences_.data() + n);
  });
  cub::DoubleBuffer<LocalIndex> keys(nodes_.data(), other_nodes_.data());
  cub::DoubleBuffer<LocalIndex> values(incidences_.data(), other_incidences_.data());
  run_cub(scratch_, radix_sort(context_, connectivity_.n_nodes, n, keys, values));
  if (keys.Current() != nodes_.data())
    nodes_.swap(other_nodes_);
  if (values.Current() != incidences_.data())
    incidences_.swap(other_incidences_);
}

/// A binary search per node among the sorted pairs.
void ElementLists::find_begins(Array<LocalIndex> &begin)
{
  const thrust::counting_iterator<LocalIndex> nodes(0);
  with_thrust(context_, [&](const auto &policy) {
    thrust::lower_bound(policy,
                        nodes_.data(),
                        nodes_.data() + connectivity_.n_incidences(),
                        nodes,
                        nodes + static_cast<std::ptrdiff_t>(begin.size()),
                        begin.data());
  });
}

Array<LocalIndex> ElementLists::take_incidences()
{
  return std::move(incidences_);
}

template <typename Index>
std::size_t longest_range(const Context &context,
                          Scratch &scratch,
                          const Array<Index> &begin,
                          const std::size_t n)
{
  const thrust::counting_iterator<std::size_t> first(0);
  return with_thrust(context, scratch, [&](const auto &policy) {
    return static_cast<std::size_t>(thrust::transform_reduce(policy,
                                                             first,
                                                             first + static_cast<std::ptrdiff_t>(n),
                                                             RangeLength<Index>{begin.data()},
                                                             Index(0),
                                                             thrust::maximum<Index>()));
  });
}

template std::size_t
longest_range(const Context &, Scratch &, const Array<LocalIndex> &, std::size_t);
template std::size_t
longest_range(const Context &, Scratch &, const Array<std::uint64_t> &, std::size_t);
} // namespace strut::cuda
