// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "assembly_operations.h"

#include "../base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
constexpr int index_block_size = 128;

/// Formula:   entry (i, j) of the block of node r and its k-th neighbour s has row d r + i and column
///            d s + j, at the place that EntryPlaces says
/// Layout:    rows, row_begin null where the format has none; ELL is padded with the row's own number
/// Threads:   `lanes` per node; with one, as in the paper, threads of a warp write far from each other
///            in COO and CSR, so that these take a warp; in ELL neighbouring nodes write side by side
/// Bytes:     per node, 4 m and 8 read; 4 d^2 m written (COO twice), CSR 8 d besides
/// Determinism: every entry has one writer
template <int lanes>
__global__ void __launch_bounds__(index_block_size)
  index_kernel(const std::size_t n_nodes,
               const NeighbourView neighbours,
               const EntryPlaces places,
               const std::size_t width,
               std::uint64_t *__restrict__ row_begin,
               LocalIndex *__restrict__ rows,
               LocalIndex *__restrict__ columns)
{
  const std::size_t node = thread_number() / lanes;
  const std::size_t lane = thread_number() % lanes;
  if (node >= n_nodes)
    return;
  const std::size_t d             = static_cast<std::size_t>(places.dofs_per_node);
  const std::size_t length        = d * neighbours.length(node); // of each row of the node
  const LocalIndex *const of_node = neighbours.nodes + neighbours.begin[node];
  const std::size_t first         = places.block(node, 0);
  for (std::size_t i = 0; i < d; ++i)
    {
      const LocalIndex row = static_cast<LocalIndex>(d * node + i);
      if (row_begin != nullptr && lane == 0)
        row_begin[row + 1] = first + (i + 1) * length;
      const std::size_t begin = first + i * places.row_stride(node);
      for (std::size_t c = lane; c < length; c += lanes)
        {
          const std::size_t place = begin + c * places.column_stride();
          columns[place] =
            static_cast<LocalIndex>(d) * of_node[c / d] + static_cast<LocalIndex>(c % d);
          if (rows != nullptr)
            rows[place] = row;
        }
      if (places.is_ell)
        for (std::size_t c = length + lane; c < width; c += lanes)
          columns[c * places.n_rows + row] = row;
    }
}

template <int lanes>
void fill(const Context &context, const NeighbourMatrix &neighbours, SparsePattern &pattern)
{
  const cudaStream_t stream = context.activate();
  index_kernel<lanes>
    <<<n_blocks(lanes * neighbours.n_nodes, index_block_size), index_block_size, 0, stream>>>(
      neighbours.n_nodes,
      neighbours.view(),
      pattern.places(neighbours),
      pattern.width,
      pattern.row_begin.data(),
      pattern.rows.data(),
      pattern.columns.data());
  STRUT_CUDA_CHECK_LAUNCH("index_kernel");
}
} // namespace

SparsePattern CudaAssemblyOperations::make_pattern(const NeighbourMatrix &neighbours,
                                                   const MatrixFormat format,
                                                   const int dofs_per_node,
                                                   StageReport *report) const
{
  SparsePattern pattern = pattern_sizes(neighbours, format, dofs_per_node);
  const double bytes    = index_bytes(pattern);
  Memory &memory        = backend_.memory();
  require_memory(memory, bytes, "the indices of the matrix (" + to_string(format) + ")");
  if (format == MatrixFormat::csr)
    pattern.row_begin = Array<std::uint64_t>(memory, pattern.n_rows + 1);
  if (format == MatrixFormat::coo)
    pattern.rows = Array<LocalIndex>(memory, pattern.n_entries);
  pattern.columns = Array<LocalIndex>(memory, pattern.n_stored);

  const double in = sizeof(LocalIndex) * static_cast<double>(neighbours.n_pairs) +
                    sizeof(std::uint64_t) * (static_cast<double>(neighbours.n_nodes) + 1.);
  timed_step(backend_, report, "indices", in + bytes, [&]() {
    if (neighbours.n_nodes == 0)
      return;
    if (format == MatrixFormat::ell)
      fill<1>(context_, neighbours, pattern);
    else
      fill<32>(context_, neighbours, pattern);
  });
  if (report != nullptr)
    {
      report->bytes        = in + bytes;
      report->memory_bytes = bytes;
    }
  return pattern;
}
} // namespace strut::cuda
