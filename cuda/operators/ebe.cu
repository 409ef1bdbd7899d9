// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/element_matrices.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
constexpr int ebe_block_size = 128;

/// Formula:   y = sum_e P_e^T E_e K0_e P_e x (Ratnakar 2022, chapter 3); y must be zero before.
/// Layout:    matrices[24 row + column][element], connectivity[8][element]: coalesced. The numbers
///            are those of hexahedra with three components.
/// Threads:   one per element: gathers 24 values, then takes the 24 rows one after another.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, the factor; x and y, 24
///            numbers each, mostly through the caches.
/// Flops:     per element, 1176; 24 atomic additions.
/// Determinism: none, the order of the additions to a node is that of the hardware.
template <typename Number, int n_components, int n_element_nodes>
__global__ void __launch_bounds__(ebe_block_size)
  ebe_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
             const Number *__restrict__ x,
             Number *__restrict__ y)
{
  const std::size_t e = thread_number();
  if (e >= elements.n_elements)
    return;
  Number local[n_element_nodes * n_components];
  elements.gather(e, x, local);
  const Number factor = elements.stiffness[e];
#pragma unroll 1
  for (int v = 0; v < n_element_nodes; ++v)
    {
      const std::size_t dof = n_components * elements.node(v, e);
#pragma unroll
      for (int c = 0; c < n_components; ++c)
        atomicAdd(y + dof + c, factor * elements.row_times(n_components * v + c, e, local));
    }
}

/// Operator element by element with one thread each and full element matrices.
template <typename Number, int n_components, int n_element_nodes>
class Ebe : public StoredMatricesOperator<Number, n_components, n_element_nodes>
{
public:
  using StoredMatricesOperator<Number, n_components, n_element_nodes>::StoredMatricesOperator;

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    y.set_zero();
    if (this->n_elements_ == 0)
      return;
    ebe_kernel<<<n_blocks(this->n_elements_, ebe_block_size),
                 ebe_block_size,
                 0,
                 this->context_.activate()>>>(this->elements(), x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("ebe_kernel");
  }
};
} // namespace

/// The strategy `ebe`: one thread per element.
StrategyPair ebe()
{
  return strategy_pair_of_elements<Ebe>(
    "ebe", "1 thread per element, reads its full matrix, writes by atomics", false);
}
} // namespace strut::cuda
