// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/element_integration.cuh"
#include "cuda/comparison/assembly/matrix_target.cuh"
#include "cuda/comparison/assembly/value_methods.h"

namespace strut::cuda
{
namespace
{
constexpr int warp_size      = 32;
constexpr int add_block_size = 128;

/// Threads of a block that collects matrices. Those of Hex27 take so much shared memory that a
/// block has one warp.
template <typename Element>
constexpr int collect_block_size = Element::n_nodes > 20 ? 32 : 64;

/// Shared memory of a block that collects the matrices of its elements, behind the scratch of the
/// teams.
template <typename Element, typename Number>
struct StagedMatrices
{
  static constexpr int n_words = 9 * Element::n_nodes * Element::n_nodes;
  /// Odd, so that threads with different matrices use different banks.
  static constexpr int stride  = n_words + 1;
  static constexpr int n_teams = collect_block_size<Element> / team_size<Element>;

  static constexpr std::size_t scratch_bytes =
    team_size<Element> == 1 ? 0 : n_teams * sizeof(ElementScratch<Element, Number>);
  static constexpr std::size_t bytes = scratch_bytes + n_teams * stride * sizeof(Number);
};

/// Formula:   K0_e at stiffness factor 1.
/// Layout:    see MeshView, MatrixStrides.
/// Threads:   `team` per element; 1 as in Sanfui and Sharma (2020).
/// Bytes:     per element, connectivity and coordinates read, 9 npe^2 numbers written.
/// Flops:     per element, about 24 per pair of nodes and point, and the gradients: once per mesh.
/// Determinism: every entry has one writer.
template <typename Element, typename Number, int team>
__global__ void __launch_bounds__(integration_block_size)
  store_kernel(const MeshView mesh,
               const Number lambda,
               const Number mu,
               const MatrixStrides strides,
               Number *__restrict__ matrices)
{
  const TeamPlace<Element, Number, team> place(mesh.n_elements);
  Number *const of_element = matrices + strides.element * place.element;
  with_scratch<Element, Number, team>([&](ElementScratch<Element, Number> &scratch) {
    integrate<Element, Number, team>(mesh,
                                     place.element,
                                     place.lane,
                                     lambda,
                                     mu,
                                     scratch,
                                     [&](const int a, const int b, const Number(&block)[3][3]) {
                                       if (!place.writes())
                                         return;
                                       Number *const upper =
                                         of_element + strides.block * (Element::n_nodes * a + b);
                                       Number *const lower =
                                         of_element + strides.block * (Element::n_nodes * b + a);
                                       for (int i = 0; i < 3; ++i)
                                         for (int j = 0; j < 3; ++j)
                                           {
                                             upper[strides.entry * (3 * i + j)] = block[i][j];
                                             if (a != b)
                                               lower[strides.entry * (3 * i + j)] = block[j][i];
                                           }
                                     });
  });
}

/// Computes K0_e element-major: a team collects the matrix of its element in shared memory, and a
/// warp writes the matrices of its elements word by word.
///
///     Layout:    `[n_elements][npe][npe][3][3]`
///     Threads:   team_size per element
///     Bytes, flops, determinism: as store_kernel
template <typename Element, typename Number>
__global__ void __launch_bounds__(collect_block_size<Element>) store_element_major_kernel(
  const MeshView mesh, const Number lambda, const Number mu, Number *__restrict__ matrices)
{
  using Staging           = StagedMatrices<Element, Number>;
  constexpr int team      = team_size<Element>;
  constexpr int n         = Element::n_nodes;
  const int lane_of_warp  = static_cast<int>(threadIdx.x) % warp_size;
  const int first_of_warp = (static_cast<int>(threadIdx.x) - lane_of_warp) / team;
  extern __shared__ double shared[];
  Number *const staged =
    reinterpret_cast<Number *>(reinterpret_cast<char *>(shared) + Staging::scratch_bytes);
  Number *const mine = staged + Staging::stride * (threadIdx.x / team);

  const TeamPlace<Element, Number, team> place(mesh.n_elements);
  with_scratch<Element, Number, team>([&](ElementScratch<Element, Number> &scratch) {
    integrate<Element, Number, team>(mesh,
                                     place.element,
                                     place.lane,
                                     lambda,
                                     mu,
                                     scratch,
                                     [&](const int a, const int b, const Number(&block)[3][3]) {
                                       for (int i = 0; i < 3; ++i)
                                         for (int j = 0; j < 3; ++j)
                                           {
                                             mine[9 * (n * a + b) + 3 * i + j] = block[i][j];
                                             mine[9 * (n * b + a) + 3 * j + i] = block[i][j];
                                           }
                                     });
  });
  __syncwarp();
  const std::size_t first_element = (thread_number() - lane_of_warp) / team;
  for (int k = 0; k < warp_size / team && first_element + k < mesh.n_elements; ++k)
    {
      const Number *const from = staged + Staging::stride * (first_of_warp + k);
      Number *const to         = matrices + Staging::n_words * (first_element + k);
      for (int t = lane_of_warp; t < Staging::n_words; t += warp_size)
        to[t] = from[t];
    }
}

/// Formula:   values += E_e K0_e, without constrained DoFs.
/// Layout:    matrices entry-major: neighbouring threads read neighbouring words.
/// Threads:   one per element (Sanfui and Sharma 2020).
/// Bytes:     per element, 9 npe^2 numbers and the connectivity read, as many numbers added by
///            atomics; npe^2 binary searches.
/// Flops:     per element, 18 npe^2.
/// Determinism: none, the order of the additions is that of the hardware.
template <typename Number>
__global__ void __launch_bounds__(add_block_size) add_kernel(const MeshView mesh,
                                                             const int npe,
                                                             const Number *__restrict__ matrices,
                                                             const double *__restrict__ factors,
                                                             const MatrixTarget<Number> target)
{
  const std::size_t e = thread_number();
  if (e >= mesh.n_elements)
    return;
  const Number factor = static_cast<Number>(factors[e]);
  for (int a = 0; a < npe; ++a)
    {
      const LocalIndex row = mesh.node(e, a);
      for (int b = 0; b < npe; ++b)
        {
          const Number *const block = matrices + 9 * mesh.n_elements * std::size_t(npe * a + b) + e;
          target.add(row, mesh.node(e, b), factor, [&](const int i, const int j) {
            return block[mesh.n_elements * std::size_t(3 * i + j)];
          });
        }
    }
}
} // namespace

template <typename Number>
void store_element_matrices(const Context &context,
                            const MeshArrays &mesh,
                            const Material &material,
                            const bool one_thread_per_element,
                            const MatrixStrides &strides,
                            Number *const matrices)
{
  const MeshView view(mesh);
  if (view.n_elements == 0)
    return;
  const cudaStream_t stream = context.activate();
  const auto lambda         = static_cast<Number>(material.lambda());
  const auto mu             = static_cast<Number>(material.mu());
  if (!one_thread_per_element && strides.entry == 1)
    {
      with_element(mesh.type, [&](const auto element) {
        using Element        = std::decay_t<decltype(element)>;
        constexpr auto bytes = StagedMatrices<Element, Number>::bytes;
        const auto kernel    = store_element_major_kernel<Element, Number>;
        const unsigned int blocks =
          n_blocks(team_size<Element> * view.n_elements, collect_block_size<Element>);
        allow_shared(kernel, bytes);
        kernel<<<blocks, collect_block_size<Element>, bytes, stream>>>(view, lambda, mu, matrices);
        STRUT_CUDA_CHECK_LAUNCH("store_element_major_kernel");
      });
      return;
    }
  with_team(mesh.type, one_thread_per_element, [&](const auto element, const auto team) {
    using Element             = std::decay_t<decltype(element)>;
    constexpr int n_threads   = decltype(team)::value;
    constexpr auto bytes      = TeamPlace<Element, Number, n_threads>::shared_bytes;
    const auto kernel         = store_kernel<Element, Number, n_threads>;
    const unsigned int blocks = n_blocks(n_threads * view.n_elements, integration_block_size);
    allow_shared(kernel, bytes);
    kernel<<<blocks, integration_block_size, bytes, stream>>>(view, lambda, mu, strides, matrices);
    STRUT_CUDA_CHECK_LAUNCH("store_kernel");
  });
}

template <typename Number>
void add_stored(const Context &context,
                const MeshArrays &mesh,
                const Number *const matrices,
                const double *const factors,
                const MatrixTarget<Number> &target)
{
  const MeshView view(mesh);
  if (view.n_elements == 0)
    return;
  add_kernel<<<n_blocks(view.n_elements, add_block_size), add_block_size, 0, context.activate()>>>(
    view, mesh.connectivity.nodes_per_element, matrices, factors, target);
  STRUT_CUDA_CHECK_LAUNCH("add_kernel");
}

template decltype(store_element_matrices<double>) store_element_matrices<double>;
template decltype(store_element_matrices<float>) store_element_matrices<float>;
template decltype(add_stored<double>) add_stored<double>;
template decltype(add_stored<float>) add_stored<float>;
} // namespace strut::cuda
