// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/element_integration.cuh"
#include "cuda/comparison/assembly/gather_writes.cuh"
#include "cuda/comparison/assembly/value_methods.h"

#include <strut/base/exceptions.h>

#include <cuda_pipeline.h>

#include <algorithm>
#include <limits>

namespace strut::cuda
{
namespace
{
/// Number of resident blocks of a multiprocessor. With 10 there are 48 registers without spills;
/// longer rows fill the shared memory first.
template <int npe>
constexpr int n_resident = npe < 20 ? 10 : 5;

/// Number of neighbours whose blocks a warp sums at a time. Longer rows take several rounds.
constexpr std::size_t largest_window = 192;

/// One incidence in shared memory: its npe blocks, then its slots. It is copied there from global
/// memory.
template <int npe, typename Number>
struct Stage
{
  static constexpr int matrix_bytes = 9 * npe * static_cast<int>(sizeof(Number));
  static constexpr int slot_bytes   = 2 * slot_stride(npe);
  static constexpr int first_slot = (matrix_bytes + 7) / 8 * 8; ///< place of the first slot, bytes
  static constexpr int bytes      = (first_slot + slot_bytes + 15) / 16 * 16;
  /// Number of stages that keeps enough bytes in flight, and leaves room for other warps.
  static constexpr int n_stages = bytes > 1200 ? 2 : bytes > 600 ? 3 : 4;

  static constexpr int piece_of(const int n_bytes)
  {
    return n_bytes % 16 == 0 ? 16 : n_bytes % 8 == 0 ? 8 : 4;
  }

  /// Copy with the whole warp. n_bytes and both addresses are multiples of the pieces that one lane
  /// copies.
  template <int n_bytes>
  static __device__ void copy(char *const to, const void *const from, const int lane)
  {
    constexpr int piece = piece_of(n_bytes);
    static_assert(n_bytes % piece == 0 && first_slot % piece_of(slot_bytes) == 0);
    for (int p = lane; p < n_bytes / piece; p += warp_size)
      __pipeline_memcpy_async(to + p * piece, static_cast<const char *>(from) + p * piece, piece);
  }
};

/// Formula:   three rows of a node = sum over its elements e of E_e (its rows of K0_e).
/// Layout:    matrices[n_elements][npe][npe][3][3]: the npe blocks of an incidence are consecutive,
///            at the incidence number npe e + a; slots[incidence in list order][npe], or npe + 1
///            if npe is odd.
/// Threads:   one warp per node, which sums in shared memory. The next incidences are copied there
///            asynchronously. A lane adds a row of a block, three words.
/// Bytes:     per element, 9 npe^2 numbers, 2 npe^2 of slots, 4 npe of the list, 8 of the factor,
///            again for each further window of a row; per entry of the global matrix, one number
///            written.
/// Flops:     per element, 18 npe^2.
/// Determinism: one warp per row, elements in ascending order.
/// @tparam is_ell  the warps of a block write together, padding included, since neighbouring nodes
///   have neighbouring words in ELL, but not in COO and CSR
template <int npe, bool is_ell, typename Number>
__global__ void __launch_bounds__(gather_block_size, n_resident<npe>)
  gather_kernel(const GatherView<Number> view, const unsigned int window)
{
  using OnTheWay         = Stage<npe, Number>;
  constexpr int n_stages = OnTheWay::n_stages;
  constexpr int n_rows   = 3 * npe; // Rows of the blocks of an incidence.
  extern __shared__ __align__(16) char gather_shared[];
  const int lane     = static_cast<int>(threadIdx.x) % warp_size;
  const int warp     = static_cast<int>(threadIdx.x) / warp_size;
  char *const stages = gather_shared + warp * n_stages * OnTheWay::bytes;
  Number *const sums =
    reinterpret_cast<Number *>(gather_shared + warps_per_block * n_stages * OnTheWay::bytes) +
    warp * 9 * window;
  const std::size_t node = thread_number() / warp_size;
  const bool has_node    = node < view.n_nodes;
  if (!is_ell && !has_node)
    return;

  const unsigned int length =
    has_node ? static_cast<unsigned int>(view.neighbours.length(node)) : 0;
  const LocalIndex begin       = has_node ? view.incidence_begin[node] : 0;
  const LocalIndex end         = has_node ? view.incidence_begin[node + 1] : 0;
  const unsigned int last_slot = is_ell ? static_cast<unsigned int>(view.width / 3) : length;
  for (unsigned int first_slot = 0; first_slot < last_slot; first_slot += window)
    {
      const unsigned int count = first_slot < length ? min(window, length - first_slot) : 0;
      for (LocalIndex k0 = begin; count > 0 && k0 < end; k0 += warp_size)
        {
          // Each lane has the number and the factor of one of up to 32 incidences.
          const LocalIndex mine = k0 + lane < end ? view.incidences[k0 + lane] : 0;
          const int n_here      = static_cast<int>(min(end - k0, LocalIndex(warp_size)));
          const auto fetch      = [&](const int k) {
            if (k < n_here)
              {
                const std::size_t incidence = __shfl_sync(0xffffffffu, mine, k);
                char *const stage           = stages + k % n_stages * OnTheWay::bytes;
                OnTheWay::template copy<OnTheWay::matrix_bytes>(
                  stage, view.matrices + 3 * n_rows * incidence, lane);
                OnTheWay::template copy<OnTheWay::slot_bytes>(stage + OnTheWay::first_slot,
                                                              view.slots + slot_stride(npe) *
                                                                             std::size_t(k0 + k),
                                                              lane);
              }
            __pipeline_commit();
          };
          for (int k = 0; k < n_stages; ++k)
            fetch(k);
          const Number my_factor = static_cast<Number>(view.factors[mine / npe]);
          if (k0 == begin)
            for (unsigned int t = lane; t < 9 * count; t += warp_size)
              sums[t] = Number(0);
          for (int k = 0; k < n_here; ++k)
            {
              __pipeline_wait_prior(n_stages - 1);
              __syncwarp();
              const Number factor       = __shfl_sync(0xffffffffu, my_factor, k);
              const char *const stage   = stages + k % n_stages * OnTheWay::bytes;
              const Number *const words = reinterpret_cast<const Number *>(stage);
              const std::uint16_t *slots =
                reinterpret_cast<const std::uint16_t *>(stage + OnTheWay::first_slot);
#pragma unroll
              for (int t0 = 0; t0 < n_rows; t0 += warp_size)
                if (const int t = t0 + lane; t < n_rows)
                  {
                    const unsigned int slot = slots[t / 3] - first_slot;
                    if (slot < count)
                      {
                        Number *const sum = sums + t % 3 * 3 * count + 3 * slot;
                        Number result[3];
                        for (int j = 0; j < 3; ++j)
                          result[j] = sum[j] + factor * words[3 * t + j];
                        for (int j = 0; j < 3; ++j)
                          sum[j] = result[j];
                      }
                  }
              __syncwarp();
              fetch(k + n_stages);
            }
        }
      if constexpr (is_ell)
        {
          __syncthreads();
          write_columns(view, node - warp, first_slot, window, sums - warp * 9 * window);
          __syncthreads();
        }
      else
        {
          write_rows(view, node, first_slot, count, lane, sums);
          __syncwarp();
        }
    }
}

/// Computes slots[k][b] = place of node b of the element of incidence k in the row of the node of
/// k. The slot behind an odd number of nodes repeats the last one.
void find_slots(const Context &context,
                const MeshView &mesh,
                const int npe,
                const NeighbourMatrix &neighbours,
                Array<std::uint16_t> &result)
{
  const NeighbourView rows           = neighbours.view();
  const LocalIndex *const incidences = neighbours.incidences.data();
  std::uint16_t *const slots         = result.data();
  const int stride                   = slot_stride(npe);
  parallel_for(context, result.size(), [=] __device__(const std::size_t t) {
    const LocalIndex incidence = incidences[t / stride];
    const int b                = min(static_cast<int>(t % stride), npe - 1);
    const LocalIndex e         = incidence / npe;
    const LocalIndex node      = mesh.node(e, static_cast<int>(incidence % npe));
    slots[t]                   = static_cast<std::uint16_t>(rows.slot(node, mesh.node(e, b)));
  });
}
} // namespace

template <typename Number>
Gather<Number>::Gather(const Context &context, Memory &memory, const ValueProblem &problem)
  : context_(context), problem_(problem)
{
  if (problem.neighbours.longest_row > std::numeric_limits<std::uint16_t>::max())
    throw Error("Matrix generation: a node has " + std::to_string(problem.neighbours.longest_row) +
                  " neighbours; the method 'gather' counts up to 65535.",
                Remedy::use_other_method);
  const ConnectivityArrays &connectivity = problem.mesh.connectivity;
  slots_                                 = Array<std::uint16_t>(memory,
                                std::size_t(slot_stride(connectivity.nodes_per_element)) *
                                  connectivity.n_incidences());
}

template <typename Number>
void Gather<Number>::find_places()
{
  find_slots(context_,
             MeshView(problem_.mesh),
             problem_.mesh.connectivity.nodes_per_element,
             problem_.neighbours,
             slots_);
}

template <typename Number>
void Gather<Number>::assemble(const Number *const matrices,
                              const double *const factors,
                              Number *const values) const
{
  if (problem_.neighbours.n_pairs == 0)
    return;
  const GatherView<Number> view = {problem_.neighbours.view(),
                                   problem_.pattern.places(problem_.neighbours),
                                   ConstraintView(problem_.mesh, problem_.options.diagonal),
                                   problem_.neighbours.n_nodes,
                                   problem_.neighbours.incidence_begin.data(),
                                   problem_.neighbours.incidences.data(),
                                   slots_.data(),
                                   matrices,
                                   factors,
                                   values,
                                   problem_.pattern.width};
  const unsigned int blocks = n_blocks(warp_size * problem_.neighbours.n_nodes, gather_block_size);
  const cudaStream_t stream = context_.activate();
  with_element(problem_.mesh.type, [&](const auto element) {
    constexpr int npe = std::decay_t<decltype(element)>::n_nodes;
    const auto kernel = problem_.pattern.format == MatrixFormat::ell
                          ? gather_kernel<npe, true, Number>
                          : gather_kernel<npe, false, Number>;
    // A window takes its share of the shared memory, where there is little.
    constexpr std::size_t stages = Stage<npe, Number>::n_stages * Stage<npe, Number>::bytes;
    constexpr std::size_t slot   = 9 * sizeof(Number);
    const std::size_t room       = largest_shared_block(context_) / warps_per_block - stages;
    const std::size_t window =
      std::min({largest_window, problem_.neighbours.longest_row, room / slot});
    const std::size_t bytes = warps_per_block * (stages + window * slot);
    allow_shared(kernel, bytes);
    kernel<<<blocks, gather_block_size, bytes, stream>>>(view, static_cast<unsigned int>(window));
    STRUT_CUDA_CHECK_LAUNCH("gather_kernel");
  });
}

template class Gather<double>;
template class Gather<float>;
} // namespace strut::cuda
