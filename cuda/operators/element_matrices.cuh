// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"

#include <strut/backend/element_operator.h>
#include <strut/base/array.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/mesh/element_mesh.h>

namespace strut::cuda
{
/// The elements as a kernel sees them, passed by value. K0_e is entry-major: the threads of a warp,
/// each with its own element, read consecutive words.
///
/// @tparam n_components  components per node: 3, or 1 for the Laplacian
/// @tparam n_element_nodes  nodes per element, ElementType::n_nodes
template <typename Number, int n_components = 3, int n_element_nodes = 8>
struct ElementsView
{
  /// DoFs of an element, `n_components * node + component`
  static constexpr int n_local = n_element_nodes * n_components;

  const Number *__restrict__ matrices;         ///< `[n_local][n_local][n_elements]`
  const LocalIndex *__restrict__ connectivity; ///< `[n_element_nodes][n_elements]`
  const Number *__restrict__ stiffness;        ///< E_e, `[n_elements]`
  std::size_t n_elements;

  __device__ std::size_t node(const int vertex, const std::size_t element) const
  {
    return connectivity[vertex * n_elements + element];
  }

  /// Address of entry (row, 0) of K0_e; the entries of the row follow at a distance of n_elements.
  __device__ const Number *row(const int row, const std::size_t element) const
  {
    return matrices + (std::size_t(n_local) * row * n_elements + element);
  }

  /// Load the values of the element, P_e x.
  template <typename Local>
  __device__ void
  gather(const std::size_t element, const Number *__restrict__ x, Local (&local)[n_local]) const
  {
#pragma unroll
    for (int v = 0; v < n_element_nodes; ++v)
      {
        const std::size_t dof = n_components * node(v, element);
#pragma unroll
        for (int c = 0; c < n_components; ++c)
          local[n_components * v + c] = static_cast<Local>(x[dof + c]);
      }
  }

  /// Returns row `row_number` of K0_e times a local vector.
  template <typename Local>
  __device__ Local row_times(const int row_number,
                             const std::size_t element,
                             const Local (&local)[n_local]) const
  {
    const Number *const entries = row(row_number, element);
    Local sum                   = 0;
#pragma unroll
    for (int column = 0; column < n_local; ++column)
      sum += static_cast<Local>(entries[column * n_elements]) * local[column];
    return sum;
  }
};

/// The places of the entries of the element matrices, chosen such that neighbouring threads read
/// neighbouring words for any number of threads per element. The row of component i of node a and
/// the column of component j of node b of element e are at
/// `a row_node + i row_component + b column_node + j column_component + e element`.
struct MatrixLayout
{
  std::size_t row_node;
  std::size_t row_component;
  std::size_t column_node;
  std::size_t column_component;
  std::size_t element;

  /// The layout of ElementsView, for one thread per element.
  static MatrixLayout entry_major(const std::size_t n_elements,
                                  const std::size_t n_components    = 3,
                                  const std::size_t n_element_nodes = 8)
  {
    const std::size_t row = n_element_nodes * n_components * n_elements;
    return {n_components * row, row, n_components * n_elements, n_elements, 1};
  }
};

/// Computes the matrices K0_e at stiffness factor 1 of elements of any type, in double.
///
/// @param solids  null: of the material
/// @param connectivity  of the mesh, on the device
/// @param matrices  result, by the layout
template <typename Number, int n_components>
void compute_element_matrices(const Context &context,
                              Memory &memory,
                              const ElementMesh &mesh,
                              const Material &material,
                              const AnisotropicSolids *solids,
                              const Array<LocalIndex> &connectivity,
                              const MatrixLayout &layout,
                              Array<Number> &matrices);

/// Adds the diagonals of `E_e K0_e` to d, by atomics.
template <typename Number, int n_components>
void add_element_diagonals(const Context &context,
                           std::size_t n_elements,
                           const Array<LocalIndex> &connectivity,
                           const Array<Number> &stiffness,
                           const Array<Number> &matrices,
                           const MatrixLayout &layout,
                           Array<Number> &d);

/// Adds the blocks of the nodes of `E_e K0_e` to blocks, by atomics.
template <typename Number, int n_components>
void add_element_blocks(const Context &context,
                        std::size_t n_elements,
                        const Array<LocalIndex> &connectivity,
                        const Array<Number> &stiffness,
                        const Array<Number> &matrices,
                        const MatrixLayout &layout,
                        Array<Number> &blocks);

constexpr int energy_block_size = 128;

/// Formula:   c_e = u_e^T K0_e u_e.
/// Threads:   one per element.
/// Bytes:     per hexahedron, 576 numbers of the matrix, 8 node numbers, 24 of u (from the caches,
///            each node serves eight elements), 8 bytes written.
/// Flops:     per hexahedron, 1200 in double, for any Number.
/// Determinism: one thread sums row by row.
template <typename Number, int n_components, int n_element_nodes>
__global__ void __launch_bounds__(energy_block_size)
  energy_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
                const Number *__restrict__ u,
                double *__restrict__ c)
{
  const std::size_t e = thread_number();
  if (e >= elements.n_elements)
    return;
  double local[n_element_nodes * n_components];
  elements.gather(e, u, local);
  double energy = 0.;
#pragma unroll 1
  for (int v = 0; v < n_element_nodes; ++v)
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

/// The common part of the GPU operators that store the full element matrices: matrices,
/// connectivity, stiffness factors, and strain energies. The matrices are computed on the device in
/// double; those of hexahedra with three components have 576 numbers per element. Derived classes
/// define the product. An operator with a layout of its own has to override the energies as well.
///
/// @tparam n_components  components per node: 3, or 1 for the Laplacian
/// @tparam n_element_nodes  nodes per element, ElementType::n_nodes
template <typename Number, int n_components = 3, int n_element_nodes = 8>
class StoredMatricesOperator : public ElementOperator<Number>
{
public:
  static constexpr int n_dofs = n_element_nodes * n_components; ///< DoFs of an element

  StoredMatricesOperator(Backend &backend, const ElementMesh &mesh, const Material &material)
    : StoredMatricesOperator(backend,
                             mesh,
                             material,
                             MatrixLayout::entry_major(mesh.n_elements,
                                                       n_components,
                                                       n_element_nodes))
  {}

  static std::vector<Law> laws()
  {
    return n_components == 3 ? std::vector<Law>{Law::factor, Law::table}
                             : std::vector<Law>{Law::factor};
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override
  {
    if (stiffness.solids() != nullptr && stiffness.number_of_solids() != number_of_solids_)
      {
        number_of_solids_ = 0; // in case of a failure
        compute_matrices(mesh, Material(), stiffness.solids());
        number_of_solids_ = stiffness.number_of_solids();
      }
    if (stiffness.factors() != nullptr)
      return set_stiffness(*stiffness.factors());
    ElementOperator<Number>::set(mesh, stiffness);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    const double *const in = factors.data();
    Number *const out      = stiffness_.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      out[e] = static_cast<Number>(in[e]);
    });
  }

  /// Compute the diagonal by atomics. An operator that promises the same bits in every run
  /// overrides this.
  void diagonal(Array<Number> &d) const override
  {
    d.set_zero();
    add_element_diagonals<Number, n_components>(
      context_, n_elements_, connectivity_, stiffness_, matrices_, layout_, d);
  }

  /// Compute the blocks by atomics. An operator that promises the same bits in every run overrides
  /// this.
  void diagonal_blocks(Array<Number> &blocks) const override
  {
    blocks.set_zero();
    add_element_blocks<Number, n_components>(
      context_, n_elements_, connectivity_, stiffness_, matrices_, layout_, blocks);
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (n_elements_ == 0)
      return;
    energy_kernel<<<n_blocks(n_elements_, energy_block_size),
                    energy_block_size,
                    0,
                    context_.activate()>>>(elements(), u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("energy_kernel");
  }

  OperatorCost cost() const override
  {
    const double n = static_cast<double>(n_elements_);
    OperatorCost cost;
    cost.bytes_per_apply = memory_estimate(n_elements_, n_nodes_) +
                           2. * n_components * static_cast<double>(n_nodes_) * sizeof(Number);
    cost.flops_per_apply = n * (2. * n_dofs * n_dofs + n_dofs);
    cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
    return cost;
  }

  /// Bytes of the matrices, the connectivity and the factors.
  static double memory_estimate(const std::size_t n_elements, std::size_t)
  {
    return static_cast<double>(n_elements) *
           (n_dofs * n_dofs * sizeof(Number) + n_element_nodes * sizeof(LocalIndex) +
            sizeof(Number));
  }

protected:
  StoredMatricesOperator(Backend &backend,
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
    compute_matrices(mesh, material, nullptr);
  }

  /// The elements with matrices in the order of the layout.
  ElementsView<Number, n_components, n_element_nodes> elements() const
  {
    return {matrices_.data(), connectivity_.data(), stiffness_.data(), n_elements_};
  }

  const Context &context_;
  Memory &memory_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;

private:
  void compute_matrices(const ElementMesh &mesh,
                        const Material &material,
                        const AnisotropicSolids *const solids)
  {
    compute_element_matrices<Number, n_components>(
      context_, memory_, mesh, material, solids, connectivity_, layout_, matrices_);
  }

  const MatrixLayout layout_;
  Array<LocalIndex> connectivity_;   ///< `[n_element_nodes][n_elements]`
  Array<Number> stiffness_;          ///< E_e, `[n_elements]`
  Array<Number> matrices_;           ///< K0_e of all elements
  std::size_t number_of_solids_ = 0; ///< Stiffness::number_of_solids() of the matrices
};
} // namespace strut::cuda
