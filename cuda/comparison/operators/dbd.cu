// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/comparison/operators/shared_matrix.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
constexpr char name[]             = "dbd";
constexpr int warp_size           = 32;
constexpr int dbd_block_size      = 192; ///< a multiple of three warps
constexpr int dbd_nodes           = dbd_block_size / 3;
constexpr int diagonal_block_size = 256;
constexpr int energy_block_size   = 128;

/// Marks that no element has the node at this vertex.
constexpr LocalIndex no_element = ~LocalIndex(0);

/// The elements as a kernel sees them, passed by value.
template <typename Number>
struct IdenticalElementsView
{
  const LocalIndex *__restrict__ connectivity; ///< `[8][n_elements]`
  const LocalIndex *__restrict__ around; ///< `[8][n_nodes]`: element that has the node as vertex v
  const Number *__restrict__ stiffness;  ///< E_e, `[n_elements]`
  std::size_t n_elements;
  std::size_t n_nodes;
};

/// Returns component c of node n of the product.
template <int c, typename Number>
__device__ Number product_at(const SharedMatrix<Number> &K,
                             const IdenticalElementsView<Number> &elements,
                             const std::size_t n,
                             const Number *__restrict__ x)
{
  Number sum = 0;
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      const LocalIndex e = elements.around[v * elements.n_nodes + n];
      if (e == no_element)
        continue;
      Number product = 0;
#pragma unroll
      for (int w = 0; w < 8; ++w)
        {
          const std::size_t dof =
            3 * std::size_t(elements.connectivity[w * elements.n_elements + e]);
#pragma unroll
          for (int j = 0; j < 3; ++j)
            product += K.upper[SharedMatrix<Number>::index(3 * v + c, 3 * w + j)] * x[dof + j];
        }
      sum += elements.stiffness[e] * product;
    }
  return sum;
}

/// Formula:   y_i = sum over the elements e around the node of DoF i of E_e (row of K0 for i) P_e x
///            (Martinez-Frutos and Herrero-Perez 2017).
/// Layout:    one K0 in constant memory; around[8][n_nodes], connectivity[8][n_elements].
/// Threads:   one per DoF; a warp has one component of 32 nodes, so that its threads read the same
///            entry of K0 together, for which constant memory is fastest.
/// Bytes:     per element, 8 node numbers and the factor; per node, 8 element numbers; x and y. x
///            is gathered 192 times by each DoF, from the caches.
/// Flops:     per element, 1200.
/// Determinism: every entry of y has one writer, vertices in their order.
template <typename Number>
__global__ void __launch_bounds__(dbd_block_size)
  dbd_kernel(const __grid_constant__ SharedMatrix<Number> K,
             const IdenticalElementsView<Number> elements,
             const Number *__restrict__ x,
             Number *__restrict__ y)
{
  const int warp = threadIdx.x / warp_size;
  const std::size_t n =
    std::size_t(blockIdx.x) * dbd_nodes + (warp / 3) * warp_size + threadIdx.x % warp_size;
  if (n >= elements.n_nodes)
    return;
  const int c  = warp % 3;
  y[3 * n + c] = c == 0   ? product_at<0>(K, elements, n, x)
                 : c == 1 ? product_at<1>(K, elements, n, x)
                          : product_at<2>(K, elements, n, x);
}

/// Formula:   d_i = sum_e E_e K0_ii.
/// Threads:   one per node.
/// Bytes:     per node, 8 element numbers; per element, the factor, from the caches.
/// Flops:     per element, 48.
/// Determinism: as dbd_kernel.
template <typename Number>
__global__ void __launch_bounds__(diagonal_block_size)
  dbd_diagonal_kernel(const __grid_constant__ SharedMatrix<Number> K,
                      const IdenticalElementsView<Number> elements,
                      Number *__restrict__ d)
{
  const std::size_t n = thread_number();
  if (n >= elements.n_nodes)
    return;
  Number sum[3] = {};
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      const LocalIndex e = elements.around[v * elements.n_nodes + n];
      if (e == no_element)
        continue;
#pragma unroll
      for (int c = 0; c < 3; ++c)
        sum[c] +=
          elements.stiffness[e] * K.upper[SharedMatrix<Number>::index(3 * v + c, 3 * v + c)];
    }
#pragma unroll
  for (int c = 0; c < 3; ++c)
    d[3 * n + c] = sum[c];
}

/// Formula:   c_e = u_e^T K0 u_e.
/// Threads:   one per element.
/// Bytes:     per element, 8 node numbers, 24 of u, mostly from the caches, 8 bytes written.
/// Flops:     per element, 1200 in double, for any Number.
/// Determinism: one thread sums row by row.
template <typename Number>
__global__ void __launch_bounds__(energy_block_size)
  dbd_energy_kernel(const __grid_constant__ SharedMatrix<double> K,
                    const IdenticalElementsView<Number> elements,
                    const Number *__restrict__ u,
                    double *__restrict__ c)
{
  const std::size_t e = thread_number();
  if (e >= elements.n_elements)
    return;
  double local[24];
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t dof = 3 * std::size_t(elements.connectivity[v * elements.n_elements + e]);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        local[3 * v + i] = u[dof + i];
    }
  c[e] = K.energy(local);
}

/// Makes around[8][n_nodes] of IdenticalElementsView.
std::vector<LocalIndex> elements_around(const Backend &backend, const ElementMesh &mesh)
{
  std::vector<LocalIndex> around(8 * mesh.n_nodes, no_element);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      {
        LocalIndex &entry = around[v * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
        if (entry != no_element) // Identical elements with the same vertex at a node overlap.
          refuse_mesh(backend,
                      name,
                      "Elements " + std::to_string(entry) + " and " + std::to_string(e) +
                        " lie in the same place.");
        entry = static_cast<LocalIndex>(e);
      }
  return around;
}

/// Operator degree of freedom by degree of freedom, with one matrix for all elements.
template <typename Number>
class Dbd : public ElementOperator<Number>
{
public:
  Dbd(Backend &backend, const ElementMesh &mesh, const Material &material)
    : context_(context_of(backend)), n_elements_(mesh.n_elements), n_nodes_(mesh.n_nodes)
  {
    require_identical_elements(backend, mesh, name);
    around_       = Array<LocalIndex>(backend.memory(), elements_around(backend, mesh));
    connectivity_ = Array<LocalIndex>(backend.memory(), mesh.connectivity);
    stiffness_    = Array<Number>(backend.memory(), std::vector<Number>(n_elements_, Number(1)));
    exact_matrix_ = shared_matrix<Number>(mesh, material);
    matrix_       = rounded<Number>(exact_matrix_);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    const double *const in = factors.data();
    Number *const out      = stiffness_.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      out[e] = static_cast<Number>(in[e]);
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_nodes_ == 0)
      return;
    dbd_kernel<<<n_blocks(n_nodes_, dbd_nodes), dbd_block_size, 0, context_.activate()>>>(
      matrix_, elements(), x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("dbd_kernel");
  }

  void diagonal(Array<Number> &d) const override
  {
    if (n_nodes_ == 0)
      return;
    dbd_diagonal_kernel<<<n_blocks(n_nodes_, diagonal_block_size),
                          diagonal_block_size,
                          0,
                          context_.activate()>>>(matrix_, elements(), d.data());
    STRUT_CUDA_CHECK_LAUNCH("dbd_diagonal_kernel");
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (n_elements_ == 0)
      return;
    dbd_energy_kernel<<<n_blocks(n_elements_, energy_block_size),
                        energy_block_size,
                        0,
                        context_.activate()>>>(exact_matrix_, elements(), u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("dbd_energy_kernel");
  }

  OperatorCost cost() const override
  {
    OperatorCost cost;
    cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
    cost.bytes_per_apply = cost.memory_bytes + 6. * static_cast<double>(n_nodes_) * sizeof(Number);
    cost.flops_per_apply = static_cast<double>(n_elements_) * (2. * 576 + 48);
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return static_cast<double>(n_elements) * (8 * sizeof(LocalIndex) + sizeof(Number)) +
           static_cast<double>(n_nodes) * (8 * sizeof(LocalIndex));
  }

private:
  IdenticalElementsView<Number> elements() const
  {
    return {connectivity_.data(), around_.data(), stiffness_.data(), n_elements_, n_nodes_};
  }

  const Context &context_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  Array<LocalIndex> around_;       ///< `[8][n_nodes]`
  Array<LocalIndex> connectivity_; ///< `[8][n_elements]`
  Array<Number> stiffness_;        ///< E_e, `[n_elements]`
  SharedMatrix<double> exact_matrix_;
  SharedMatrix<Number> matrix_;
};
} // namespace

/// The strategy `dbd`: one thread per degree of freedom, one matrix for all elements.
StrategyPair dbd()
{
  return strategy_pair<Dbd>(
    name,
    "1 thread per degree of freedom, one matrix for all elements (identical ones only)",
    true,
    true);
}
} // namespace strut::cuda
