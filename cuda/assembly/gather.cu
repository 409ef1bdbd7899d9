// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "element_integration.cuh"
#include "gather.h"

#include <strut/assembly/constraint_view.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>

namespace strut::cuda
{
namespace
{
constexpr int warp_size         = 32;
constexpr int gather_block_size = 128;
constexpr int warps_a_block     = gather_block_size / warp_size;

/// Neighbours whose blocks a warp sums at a time: longer rows take several rounds.
constexpr std::size_t largest_window = 192;

/// What the kernel reads and writes; passed by value.
template <typename Number>
struct GatherView
{
  NeighbourView neighbours;
  EntryPlaces places;
  ConstraintView constraints;
  std::size_t n_nodes;
  const LocalIndex *__restrict__ incidence_begin;
  const LocalIndex *__restrict__ incidences;
  const std::uint16_t *__restrict__ slots;
  const Number *__restrict__ matrices;
  const double *__restrict__ factors;
  Number *__restrict__ values;
};

/// Write a window of the rows of a node, as they stand in shared memory, `[3][3 count]`.
template <typename Number>
__device__ void write_rows(const GatherView<Number> &view,
                           const std::size_t node,
                           const unsigned int first_slot,
                           const unsigned int count,
                           const int lane,
                           const Number *const sums)
{
  const bool whole = count == view.neighbours.length(node) && !view.places.is_ell;
  if (whole && view.constraints.bits == nullptr) // nine blocks of rows without a gap
    {
      Number *const out = view.values + view.places.block(node, 0);
      for (unsigned int t = lane; t < 9 * count; t += warp_size)
        out[t] = sums[t];
      return;
    }
  const LocalIndex *const row     = view.neighbours.nodes + view.neighbours.begin[node];
  const std::size_t row_stride    = view.places.row_stride(node);
  const std::size_t column_stride = view.places.column_stride();
  const unsigned int bits         = view.constraints.of_node(node);
  Number *const out               = view.values + view.places.block(node, first_slot);
  for (unsigned int t = lane; t < 9 * count; t += warp_size)
    {
      const unsigned int i = t / (3 * count), column = t % (3 * count), j = column % 3;
      const LocalIndex neighbour = row[first_slot + column / 3];
      const bool takes =
        view.constraints.takes(bits, i, view.constraints.of_node(neighbour), j, neighbour == node);
      const Number otherwise = neighbour == node && i == j ? Number(1) : Number(0);
      out[i * row_stride + column * column_stride] = takes ? sums[t] : otherwise;
    }
}

/// Formula:   three rows of a node = sum over its elements e of E_e (those of K0_e)
/// Layout:    matrices[n_elements][npe][npe][3][3]: the npe blocks of an incidence stand together, and
///            incidence number npe e + a says where; slots[incidence in list order][npe]
/// Threads:   one warp per node, which sums in shared memory; lanes take consecutive words of a matrix.
///            The next incidence is fetched while one is added
/// Bytes:     per element, 9 npe^2 numbers, 2 npe^2 of slots, 4 npe of the list, 8 of the factor; per
///            entry of the global matrix, one number written
/// Flops:     per element, 18 npe^2
/// Determinism: one warp a row, elements in ascending order
template <int npe, typename Number>
__global__ void __launch_bounds__(gather_block_size)
  gather_kernel(const GatherView<Number> view, const unsigned int window)
{
  constexpr int n_words  = 9 * npe; // of an incidence
  constexpr int n_chunks = (n_words + warp_size - 1) / warp_size;
  extern __shared__ double shared_sums[];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  Number *const sums =
    reinterpret_cast<Number *>(shared_sums) + threadIdx.x / warp_size * 9 * window;
  const std::size_t node = thread_number() / warp_size;
  if (node >= view.n_nodes)
    return;

  const unsigned int length = static_cast<unsigned int>(view.neighbours.length(node));
  const LocalIndex begin    = view.incidence_begin[node];
  const LocalIndex end      = view.incidence_begin[node + 1];
  for (unsigned int first_slot = 0; first_slot < length; first_slot += window)
    {
      const unsigned int count = min(window, length - first_slot);
      for (unsigned int t = lane; t < 9 * count; t += warp_size)
        sums[t] = Number(0);
      __syncwarp();
      for (LocalIndex k0 = begin; k0 < end; k0 += warp_size)
        {
          // a lane each: number and factor of up to 32 incidences
          const LocalIndex mine  = k0 + lane < end ? view.incidences[k0 + lane] : 0;
          const Number my_factor = static_cast<Number>(view.factors[mine / npe]);
          const int n_here       = static_cast<int>(min(end - k0, LocalIndex(warp_size)));
          Number next[n_chunks];
          unsigned int next_slot[n_chunks];
          const auto fetch = [&](const int k) {
            const Number *const words =
              view.matrices + n_words * std::size_t(__shfl_sync(0xffffffffu, mine, k));
            const std::uint16_t *const slots = view.slots + npe * std::size_t(k0 + k);
#pragma unroll
            for (int c = 0; c < n_chunks; ++c)
              {
                const int t = c * warp_size + lane;
                if (t < n_words)
                  {
                    next[c]      = words[t];
                    next_slot[c] = slots[t / 9] - first_slot;
                  }
              }
          };
          fetch(0);
          for (int k = 0; k < n_here; ++k)
            {
              Number word[n_chunks];
              unsigned int slot[n_chunks];
#pragma unroll
              for (int c = 0; c < n_chunks; ++c)
                {
                  word[c] = next[c];
                  slot[c] = next_slot[c];
                }
              const Number factor = __shfl_sync(0xffffffffu, my_factor, k);
              if (k + 1 < n_here)
                fetch(k + 1);
#pragma unroll
              for (int c = 0; c < n_chunks; ++c)
                {
                  const int t = c * warp_size + lane;
                  if (t < n_words && slot[c] < count)
                    sums[(t % 9 / 3) * 3 * count + 3 * slot[c] + t % 3] += factor * word[c];
                }
              __syncwarp();
            }
        }
      write_rows(view, node, first_slot, count, lane, sums);
      __syncwarp();
    }
}

/// slots[k][b] = where node b of the element of incidence k stands in the row of the node of k
void find_slots(const Context &context,
                const MeshView &mesh,
                const int npe,
                const NeighbourMatrix &neighbours,
                Array<std::uint16_t> &result)
{
  const NeighbourView rows           = neighbours.view();
  const LocalIndex *const incidences = neighbours.incidences.data();
  std::uint16_t *const slots         = result.data();
  parallel_for(context, result.size(), [=] __device__(const std::size_t t) {
    const LocalIndex incidence = incidences[t / npe];
    const LocalIndex e         = incidence / npe;
    const LocalIndex node      = mesh.node(e, static_cast<int>(incidence % npe));
    slots[t] = static_cast<std::uint16_t>(rows.slot(node, mesh.node(e, static_cast<int>(t % npe))));
  });
}
} // namespace

template <typename Number>
Gather<Number>::Gather(const Context &context,
                       Memory &memory,
                       const MeshArrays &mesh,
                       const NeighbourMatrix &neighbours,
                       const SparsePattern &pattern,
                       const ConstrainedDiagonal diagonal)
  : context_(context), mesh_(mesh), neighbours_(neighbours), pattern_(pattern), diagonal_(diagonal)
{
  if (neighbours.longest_row > std::numeric_limits<std::uint16_t>::max())
    throw Error("Matrix generation: a node has " + std::to_string(neighbours.longest_row) +
                " neighbours; the method 'gather' counts up to 65535.\n  Choose another method.");
  const int npe = mesh.connectivity.nodes_per_element;
  slots_        = Array<std::uint16_t>(memory, std::size_t(npe) * mesh.connectivity.n_incidences());
}

template <typename Number>
void Gather<Number>::find_places()
{
  find_slots(context_, MeshView(mesh_), mesh_.connectivity.nodes_per_element, neighbours_, slots_);
}

template <typename Number>
void Gather<Number>::assemble(const Number *const matrices,
                              const double *const factors,
                              Number *const values) const
{
  if (neighbours_.n_pairs == 0)
    return;
  const GatherView<Number> view = {neighbours_.view(),
                                   pattern_.places(neighbours_),
                                   ConstraintView(mesh_, diagonal_),
                                   neighbours_.n_nodes,
                                   neighbours_.incidence_begin.data(),
                                   neighbours_.incidences.data(),
                                   slots_.data(),
                                   matrices,
                                   factors,
                                   values};
  const std::size_t window      = std::min(largest_window, neighbours_.longest_row);
  const std::size_t bytes       = warps_a_block * 9 * window * sizeof(Number);
  const unsigned int blocks     = n_blocks(warp_size * neighbours_.n_nodes, gather_block_size);
  const cudaStream_t stream     = context_.activate();
  if (pattern_.format == MatrixFormat::ell) // the padding
    STRUT_CUDA_CHECK(cudaMemsetAsync(values, 0, pattern_.n_stored * sizeof(Number), stream));
  with_element(mesh_.element_type, [&](const auto element) {
    const auto kernel = gather_kernel<std::decay_t<decltype(element)>::n_nodes, Number>;
    allow_shared(kernel, bytes);
    kernel<<<blocks, gather_block_size, bytes, stream>>>(view, static_cast<unsigned int>(window));
    STRUT_CUDA_CHECK_LAUNCH("gather_kernel");
  });
}

template class Gather<double>;
template class Gather<float>;
} // namespace strut::cuda
