// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/element_integration.cuh"
#include "cuda/comparison/assembly/matrix_target.cuh"
#include "cuda/comparison/assembly/value_methods.h"

namespace strut::cuda
{
namespace
{
/// Formula:   values += E_e K0_e, without constrained DoFs.
/// Layout:    see MeshView, MatrixTarget.
/// Threads:   `team` per element; 1 as in Sanfui and Sharma (2020).
/// Bytes:     per element, connectivity and coordinates read, 9 npe^2 numbers added by atomics;
///            npe^2 binary searches.
/// Flops:     per element, about 24 per pair of nodes and point, and the gradients.
/// Determinism: none, the order of the additions is that of the hardware.
template <typename Element, typename Number, int team>
__global__ void __launch_bounds__(integration_block_size)
  integrate_and_add_kernel(const MeshView mesh,
                           const Number lambda,
                           const Number mu,
                           const double *__restrict__ factors,
                           const MatrixTarget<Number> target)
{
  const TeamPlace<Element, Number, team> place(mesh.n_elements);
  const std::size_t e = place.element;
  const Number factor = static_cast<Number>(factors[e]);
  with_scratch<Element, Number, team>([&](ElementScratch<Element, Number> &scratch) {
    integrate<Element, Number, team>(
      mesh,
      e,
      place.lane,
      lambda,
      mu,
      scratch,
      [&](const int a, const int b, const Number(&block)[3][3]) {
        if (!place.writes())
          return;
        const LocalIndex row = mesh.node(e, a), column = mesh.node(e, b);
        target.add(row, column, factor, [&](const int i, const int j) { return block[i][j]; });
        if (a != b)
          target.add(column, row, factor, [&](const int i, const int j) { return block[j][i]; });
      });
  });
}
} // namespace

template <typename Number>
void integrate_and_add(const Context &context,
                       const MeshArrays &mesh,
                       const Material &material,
                       const bool one_thread_per_element,
                       const double *const factors,
                       const MatrixTarget<Number> &target)
{
  const MeshView view(mesh);
  if (view.n_elements == 0)
    return;
  const cudaStream_t stream = context.activate();
  with_team(mesh.type, one_thread_per_element, [&](const auto element, const auto team) {
    using Element             = std::decay_t<decltype(element)>;
    constexpr int n_threads   = decltype(team)::value;
    constexpr auto bytes      = TeamPlace<Element, Number, n_threads>::shared_bytes;
    const auto kernel         = integrate_and_add_kernel<Element, Number, n_threads>;
    const unsigned int blocks = n_blocks(n_threads * view.n_elements, integration_block_size);
    allow_shared(kernel, bytes);
    kernel<<<blocks, integration_block_size, bytes, stream>>>(view,
                                                              static_cast<Number>(
                                                                material.lambda()),
                                                              static_cast<Number>(material.mu()),
                                                              factors,
                                                              target);
    STRUT_CUDA_CHECK_LAUNCH("integrate_and_add_kernel");
  });
}

template decltype(integrate_and_add<double>) integrate_and_add<double>;
template decltype(integrate_and_add<float>) integrate_and_add<float>;
} // namespace strut::cuda
