// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/element_matrices.cuh"
#include "source/element/stored_stiffness.h"

namespace strut::cuda
{
namespace
{
constexpr int stiffness_block_size = 128;
constexpr int diagonal_block_size  = 256;
constexpr int energy_block_size    = 128;

struct OneSolid
{
  Material material;
  __device__ const Material &operator()(std::size_t) const
  {
    return material;
  }
};

struct SolidOfElement
{
  const ElasticityMatrix *solids;
  const std::uint32_t *of_element;
  __device__ const ElasticityMatrix &operator()(const std::size_t e) const
  {
    return solids[of_element[e]];
  }
};

/// Formula:   rows of K0_e at stiffness factor 1 (hexahedron::stored_stiffness_rows): of
///            int B_a^T D B for three components, of int grad N_a . grad N_b for one.
/// Layout:    matrices by MatrixLayout; coordinates[3][n_nodes].
/// Threads:   one per element (x) and vertex a (y), which has the rows of its components.
/// Bytes:     per element, 576 numbers written, 64 for one component; connectivity and coordinates
///            read eight times, mostly from the caches.
/// Flops:     per element, about 70,000 in double, for any Number: once per mesh.
/// Determinism: every entry has one writer.
template <int n_components, typename Number, typename SolidOf>
__global__ void __launch_bounds__(stiffness_block_size)
  stiffness_kernel(const std::size_t n_elements,
                   const std::size_t n_nodes,
                   const double *__restrict__ coordinates,
                   const LocalIndex *__restrict__ connectivity,
                   const SolidOf solid_of,
                   const MatrixLayout layout,
                   Number *__restrict__ matrices)
{
  const std::size_t e = thread_number();
  const int a         = static_cast<int>(blockIdx.y);
  if (e >= n_elements)
    return;

  double X[3][8];
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      X[d][v] = coordinates[d * n_nodes + connectivity[v * n_elements + e]];

  double rows[n_components][8 * n_components];
  hexahedron::stored_stiffness_rows<Number>(X, solid_of(e), a, rows);
  Number *const of_vertex = matrices + (layout.row_vertex * a + layout.element * e);
  for (int i = 0; i < n_components; ++i)
    for (int b = 0; b < 8; ++b)
      for (int j = 0; j < n_components; ++j)
        of_vertex[layout.row_component * i + layout.column_vertex * b +
                  layout.column_component * j] = static_cast<Number>(rows[i][n_components * b + j]);
}

/// Formula:   d_i = sum_e E_e (K0_e)_ii.
/// Layout:    matrices by MatrixLayout.
/// Threads:   one per element (x) and vertex (y).
/// Bytes:     per element, 24 numbers of the matrix, 8 node numbers, the factor; 24 atomic
///            additions.
/// Flops:     per element, 48.
/// Determinism: none, the order of the additions is that of the hardware.
template <typename Number, int n_components>
__global__ void __launch_bounds__(diagonal_block_size)
  diagonal_kernel(const ElementsView<Number, n_components> elements,
                  const MatrixLayout layout,
                  Number *__restrict__ d)
{
  const std::size_t e = thread_number();
  const int v         = static_cast<int>(blockIdx.y);
  if (e >= elements.n_elements)
    return;
  const std::size_t dof = n_components * elements.node(v, e);
  const Number *const block =
    elements.matrices + (layout.row_vertex + layout.column_vertex) * v + layout.element * e;
  for (int c = 0; c < n_components; ++c)
    atomicAdd(d + dof + c,
              elements.stiffness[e] * block[(layout.row_component + layout.column_component) * c]);
}

/// Formula:   c_e = u_e^T K0_e u_e.
/// Threads:   one per element.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, 24 of u (from the caches,
///            each node serves eight elements), 8 bytes written.
/// Flops:     per element, 1200 in double, for any Number.
/// Determinism: one thread sums row by row.
template <typename Number, int n_components>
__global__ void __launch_bounds__(energy_block_size)
  energy_kernel(const ElementsView<Number, n_components> elements,
                const Number *__restrict__ u,
                double *__restrict__ c)
{
  const std::size_t e = thread_number();
  if (e >= elements.n_elements)
    return;
  double local[8 * n_components];
  elements.gather(e, u, local);
  double energy = 0.;
#pragma unroll 1
  for (int v = 0; v < 8; ++v)
    {
      // The node is read again, since a loop that is not unrolled must not index registers.
      const std::size_t dof = n_components * elements.node(v, e);
#pragma unroll
      for (int i = 0; i < n_components; ++i)
        energy +=
          elements.row_times(n_components * v + i, e, local) * static_cast<double>(u[dof + i]);
    }
  c[e] = energy;
}
} // namespace

template <typename Number, int n_components>
StoredMatricesOperator<Number, n_components>::StoredMatricesOperator(Backend &backend,
                                                                     const ElementMesh &mesh,
                                                                     const Material &material,
                                                                     const MatrixLayout &layout)
  : context_(context_of(backend))
  , memory_(backend.memory())
  , n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , layout_(layout)
  , connectivity_(backend.memory(), mesh.connectivity)
  , stiffness_(backend.memory(), std::vector<Number>(mesh.n_elements, Number(1)))
  , matrices_(backend.memory(), std::size_t(n_dofs * n_dofs) * mesh.n_elements)
{
  compute_matrices(mesh, OneSolid{material});
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::set(const ElementMesh &mesh,
                                                       const Stiffness &stiffness)
{
  if (stiffness.solids() != nullptr && stiffness.number_of_solids() != number_of_solids_)
    {
      number_of_solids_ = 0; // in case of a failure
      const Array<ElasticityMatrix> matrices(memory_, stiffness.solids()->matrices);
      const Array<std::uint32_t> of_element(memory_, stiffness.solids()->of_element);
      compute_matrices(mesh, SolidOfElement{matrices.data(), of_element.data()});
      number_of_solids_ = stiffness.number_of_solids();
    }
  if (stiffness.factors() != nullptr)
    return set_stiffness(*stiffness.factors());
  ElementOperator<Number>::set(mesh, stiffness);
}

template <typename Number, int n_components>
template <typename SolidOf>
void StoredMatricesOperator<Number, n_components>::compute_matrices(const ElementMesh &mesh,
                                                                    const SolidOf &solid_of)
{
  if (n_elements_ == 0)
    return;
  const Array<double> coordinates(memory_, mesh.coordinates);
  const dim3 grid(n_blocks(n_elements_, stiffness_block_size), 8);
  stiffness_kernel<n_components>
    <<<grid, stiffness_block_size, 0, context_.activate()>>>(n_elements_,
                                                             n_nodes_,
                                                             coordinates.data(),
                                                             connectivity_.data(),
                                                             solid_of,
                                                             layout_,
                                                             matrices_.data());
  STRUT_CUDA_CHECK_LAUNCH("stiffness_kernel");
  context_.synchronize(); // Coordinates and solids must stay until the work is done.
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::set_stiffness(const Array<double> &factors)
{
  const double *const in = factors.data();
  Number *const out      = stiffness_.data();
  parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
    out[e] = static_cast<Number>(in[e]);
  });
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::diagonal(Array<Number> &d) const
{
  d.set_zero();
  if (n_elements_ == 0)
    return;
  const dim3 grid(n_blocks(n_elements_, diagonal_block_size), 8);
  diagonal_kernel<<<grid, diagonal_block_size, 0, context_.activate()>>>(elements(),
                                                                         layout_,
                                                                         d.data());
  STRUT_CUDA_CHECK_LAUNCH("diagonal_kernel");
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::energies(const Array<Number> &u,
                                                            Array<double> &c) const
{
  if (n_elements_ == 0)
    return;
  energy_kernel<<<n_blocks(n_elements_, energy_block_size),
                  energy_block_size,
                  0,
                  context_.activate()>>>(elements(), u.data(), c.data());
  STRUT_CUDA_CHECK_LAUNCH("energy_kernel");
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::diagonal_blocks(Array<Number> &blocks) const
{
  if constexpr (n_components == 1)
    this->diagonal(blocks);
  else
    ElementOperator<Number>::diagonal_blocks(blocks);
}

template <typename Number, int n_components>
OperatorCost StoredMatricesOperator<Number, n_components>::cost() const
{
  const double n = static_cast<double>(n_elements_);
  OperatorCost cost;
  cost.bytes_per_apply = memory_estimate(n_elements_, n_nodes_) +
                         2. * n_components * static_cast<double>(n_nodes_) * sizeof(Number);
  cost.flops_per_apply = n * (2. * n_dofs * n_dofs + n_dofs);
  cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
  return cost;
}

template <typename Number, int n_components>
double StoredMatricesOperator<Number, n_components>::memory_estimate(const std::size_t n_elements,
                                                                     std::size_t)
{
  return static_cast<double>(n_elements) *
         (n_dofs * n_dofs * sizeof(Number) + 8 * sizeof(LocalIndex) + sizeof(Number));
}

template class StoredMatricesOperator<double, 3>;
template class StoredMatricesOperator<float, 3>;
template class StoredMatricesOperator<double, 1>;
template class StoredMatricesOperator<float, 1>;
} // namespace strut::cuda
