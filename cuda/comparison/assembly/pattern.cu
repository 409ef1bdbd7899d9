// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/parallel_loop.cuh"
#include "cuda/comparison/assembly/assembly_parts.h"

namespace strut::cuda
{
namespace
{
constexpr int warp_size        = 32;
constexpr int index_block_size = 128;
/// Number of neighbours in a group of ELL: as many as a sector of memory has numbers.
constexpr unsigned int neighbours_per_group = 8;

/// Formula:   entry (i, j) of the block of node r and its k-th neighbour s has row d r + i and
///            column d s + j, at the place given by EntryPlaces.
/// Layout:    COO (row_begin null) and CSR (rows null): the d rows of a node are consecutive.
/// Threads:   one warp per node. With one thread per node (Sanfui and Sharma 2020), the threads of
///            a warp would write far from each other.
/// Bytes:     per node, 4 m and 8 read, 4 d^2 m written, and again for COO; 8 d more for CSR.
/// Determinism: every entry has one writer.
__global__ void __launch_bounds__(index_block_size)
  compressed_kernel(const std::size_t n_nodes,
                    const unsigned int d,
                    const NeighbourView neighbours,
                    std::uint64_t *__restrict__ row_begin,
                    LocalIndex *__restrict__ rows,
                    LocalIndex *__restrict__ columns)
{
  const std::size_t node  = thread_number() / warp_size;
  const unsigned int lane = threadIdx.x % warp_size;
  if (node >= n_nodes)
    return;
  const std::uint64_t begin       = neighbours.begin[node];
  const unsigned int length       = d * static_cast<unsigned int>(neighbours.length(node));
  const LocalIndex *const of_node = neighbours.nodes + begin;
  const std::uint64_t first       = std::uint64_t(d) * d * begin;
  for (unsigned int i = 0; i < d; ++i)
    {
      const LocalIndex row = static_cast<LocalIndex>(d * node + i);
      if (row_begin != nullptr && lane == 0)
        row_begin[std::size_t(row) + 1] = first + std::uint64_t(i + 1) * length;
      for (unsigned int c = lane; c < length; c += warp_size)
        {
          const std::uint64_t place = first + std::uint64_t(i) * length + c;
          columns[place]            = d * of_node[c / d] + c % d;
          if (rows != nullptr)
            rows[place] = row;
        }
    }
}

/// Formula:   as compressed_kernel for ELL, padded with the row's own number.
/// Layout:    `[width][n_rows]`.
/// Threads:   one per row and group of neighbours: neighbouring threads write neighbouring words
///            (with one per node they would write every d-th), and neighbouring blocks the same
///            columns, which lie as far apart as the matrix has rows.
/// Bytes:     per node, 4 m and 8 read; 4 width written a row.
/// Determinism: every entry has one writer.
__global__ void __launch_bounds__(index_block_size) ell_kernel(const std::size_t n_rows,
                                                               const unsigned int d,
                                                               const NeighbourView neighbours,
                                                               const unsigned int longest_row,
                                                               LocalIndex *__restrict__ columns)
{
  const std::size_t row = thread_number();
  if (row >= n_rows)
    return;
  const std::size_t node          = row / d;
  const unsigned int length       = static_cast<unsigned int>(neighbours.length(node));
  const LocalIndex *const of_node = neighbours.nodes + neighbours.begin[node];
  const unsigned int first        = blockIdx.y * neighbours_per_group;
  const unsigned int last         = min(longest_row, first + neighbours_per_group);
  LocalIndex *column              = columns + std::size_t(d) * first * n_rows + row;
  for (unsigned int k = first; k < last; ++k)
    {
      const LocalIndex neighbour = k < length ? of_node[k] : 0;
      for (unsigned int j = 0; j < d; ++j, column += n_rows)
        *column = k < length ? d * neighbour + j : static_cast<LocalIndex>(row);
    }
}
} // namespace

void fill_pattern(Backend &backend, const NeighbourMatrix &neighbours, SparsePattern &pattern)
{
  const cudaStream_t stream = context_of(backend).activate();
  const auto d              = static_cast<unsigned int>(pattern.dofs_per_node);
  if (pattern.n_rows == 0)
    return;
  if (pattern.format == MatrixFormat::ell)
    {
      const auto longest_row = static_cast<unsigned int>(pattern.width / pattern.dofs_per_node);
      if (longest_row == 0)
        return;
      const dim3 grid(n_blocks(pattern.n_rows, index_block_size),
                      (longest_row + neighbours_per_group - 1) / neighbours_per_group);
      ell_kernel<<<grid, index_block_size, 0, stream>>>(
        pattern.n_rows, d, neighbours.view(), longest_row, pattern.columns.data());
      STRUT_CUDA_CHECK_LAUNCH("ell_kernel");
      return;
    }
  compressed_kernel<<<n_blocks(warp_size * neighbours.n_nodes, index_block_size),
                      index_block_size,
                      0,
                      stream>>>(neighbours.n_nodes,
                                d,
                                neighbours.view(),
                                pattern.row_begin.data(),
                                pattern.rows.data(),
                                pattern.columns.data());
  STRUT_CUDA_CHECK_LAUNCH("compressed_kernel");
}
} // namespace strut::cuda
