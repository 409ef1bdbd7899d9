// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/element_matrices.cuh"
#include "source/element/nodal_block.h"
#include "source/mesh/node_to_element.h"

// The operator node by node. How the elements around a node are stored is a parameter, ReverseView:
// it has n_nodes and row(n), and a row has
//
//     count       number of elements around the node
//     element(k)  the k-th of them
//     vertex(k)   the index of the node among its vertices
namespace strut::cuda
{
constexpr int nbn_block_size          = 128;
constexpr int nbn_diagonal_block_size = 256;

/// Returns the layout with K0_e in one piece, row by row: `[n_elements][24][24]` for hexahedra with
/// three components. A thread reads the rows of a node at a time, so its numbers are neighbours in
/// memory, wherever the element is.
constexpr MatrixLayout row_major(const std::size_t n_components, const std::size_t n_element_nodes)
{
  const std::size_t row = n_element_nodes * n_components;
  return {n_components * row, row, n_components, 1, row * row};
}

/// Part of a row of 16 bytes.
template <typename Number>
struct Chunk;
template <>
struct Chunk<double>
{
  using type                 = double2;
  static constexpr int count = 2;
};
template <>
struct Chunk<float>
{
  using type                 = float4;
  static constexpr int count = 4;
};

/// Returns a row of n numbers times a local vector. Rows are read in chunks if all of them are
/// aligned to 16 bytes.
template <typename Number, typename Local, int n>
__device__ Local row_times(const Number *__restrict__ row, const Local (&local)[n])
{
  using C   = Chunk<Number>;
  Local sum = 0;
  if constexpr (n % C::count == 0)
    {
#pragma unroll
      for (int k = 0; k < n / C::count; ++k)
        {
          const typename C::type chunk = reinterpret_cast<const typename C::type *>(row)[k];
          const Number *const numbers  = reinterpret_cast<const Number *>(&chunk);
#pragma unroll
          for (int i = 0; i < C::count; ++i)
            sum += static_cast<Local>(numbers[i]) * local[C::count * k + i];
        }
    }
  else
#pragma unroll
    for (int k = 0; k < n; ++k)
      sum += static_cast<Local>(row[k]) * local[k];
  return sum;
}

/// Formula:   y_n = sum over the elements e around node n of E_e (the 3 rows of K0_e for n) P_e x
///            (Ratnakar 2022, chapter 3; Schmidt and Schulz 2011).
/// Layout:    matrices[element][row][column]: 72 numbers in one piece for each thread and element,
///            neighbouring threads at unrelated places. The numbers are those of
///            hexahedra with three components.
/// Threads:   one per node, its elements one after another.
/// Bytes:     per element, 576 numbers of the matrix, 64 of connectivity in both directions, the
///            factor; x is gathered 8 times 24 numbers, mostly from the caches.
/// Flops:     per element, 1176.
/// Determinism: every entry of y has one writer, and C_rev is in ascending order.
template <typename Number, int n_components, int n_element_nodes, typename ReverseView>
__global__ void __launch_bounds__(nbn_block_size)
  nbn_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
             const ReverseView reverse,
             const Number *__restrict__ x,
             Number *__restrict__ y)
{
  constexpr int n_dofs = n_element_nodes * n_components;
  const std::size_t n  = thread_number();
  if (n >= reverse.n_nodes)
    return;
  Number sum[n_components] = {};
  const auto around        = reverse.row(n);
  for (LocalIndex k = 0; k < around.count; ++k)
    {
      const std::size_t e = around.element(k);
      const int v         = around.vertex(k);
      Number local[n_dofs];
      elements.gather(e, x, local);
      const Number factor = elements.stiffness[e];
#pragma unroll
      for (int c = 0; c < n_components; ++c)
        sum[c] += factor * row_times(elements.matrices +
                                       (n_dofs * n_dofs * e + n_dofs * (n_components * v + c)),
                                     local);
    }
#pragma unroll
  for (int c = 0; c < n_components; ++c)
    y[n_components * n + c] = sum[c];
}

/// Formula:   d_i = sum_e E_e (K0_e)_ii, in the manner of nbn_kernel.
/// Threads:   one per node.
/// Bytes:     per element, 24 numbers of the matrix, 32 of connectivity, the factor.
/// Flops:     per element, 48.
/// Determinism: as nbn_kernel.
template <typename Number, int n_components, int n_element_nodes, typename ReverseView>
__global__ void __launch_bounds__(nbn_diagonal_block_size)
  nbn_diagonal_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
                      const ReverseView reverse,
                      Number *__restrict__ d)
{
  constexpr int n_dofs = n_element_nodes * n_components;
  const std::size_t n  = thread_number();
  if (n >= reverse.n_nodes)
    return;
  Number sum[n_components] = {};
  const auto around        = reverse.row(n);
  for (LocalIndex k = 0; k < around.count; ++k)
    {
      const std::size_t e = around.element(k);
      const int v         = around.vertex(k);
#pragma unroll
      for (int c = 0; c < n_components; ++c)
        {
          const int i = n_components * v + c;
          sum[c] +=
            elements.stiffness[e] * elements.matrices[n_dofs * n_dofs * e + (n_dofs + 1) * i];
        }
    }
#pragma unroll
  for (int c = 0; c < n_components; ++c)
    d[n_components * n + c] = sum[c];
}

/// Formula:   sum_e E_e (K0_e)_nn, the blocks of the nodes, in the manner of nbn_kernel.
/// Threads:   one per node.
/// Bytes:     per element, 48 numbers of the matrix, 32 of connectivity, the factor.
/// Flops:     per element, 96.
/// Determinism: as nbn_kernel.
template <typename Number, int n_components, int n_element_nodes, typename ReverseView>
__global__ void __launch_bounds__(nbn_diagonal_block_size)
  nbn_block_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
                   const ReverseView reverse,
                   Number *__restrict__ blocks)
{
  using Block          = NodalBlock<Number, n_components>;
  constexpr int n_dofs = n_element_nodes * n_components;
  const std::size_t n  = thread_number();
  if (n >= reverse.n_nodes)
    return;
  Block sum         = {};
  const auto around = reverse.row(n);
  for (LocalIndex k = 0; k < around.count; ++k)
    {
      const std::size_t e = around.element(k);
      const int v         = around.vertex(k);
      const Number *const of_node =
        elements.matrices + (n_dofs * n_dofs * e + (n_dofs + 1) * n_components * v);
#pragma unroll
      for (int i = 0; i < n_components; ++i)
#pragma unroll
        for (int j = i; j < n_components; ++j)
          sum.entry[Block::index(i, j)] += elements.stiffness[e] * of_node[n_dofs * i + j];
    }
#pragma unroll
  for (int i = 0; i < Block::size; ++i)
    blocks[Block::size * n + i] = sum.entry[i];
}

/// Formula:   c_e = u_e^T K0_e u_e.
/// Layout:    as nbn_kernel.
/// Threads:   one per element.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, 24 of u, 8 bytes written.
/// Flops:     per element, 1200 in double, for any Number.
/// Determinism: one thread sums row by row.
template <typename Number, int n_components, int n_element_nodes>
__global__ void __launch_bounds__(nbn_block_size)
  nbn_energy_kernel(const ElementsView<Number, n_components, n_element_nodes> elements,
                    const Number *__restrict__ u,
                    double *__restrict__ c)
{
  constexpr int n_dofs = n_element_nodes * n_components;
  const std::size_t e  = thread_number();
  if (e >= elements.n_elements)
    return;
  double local[n_dofs];
  elements.gather(e, u, local);
  double energy = 0.;
#pragma unroll(n_dofs <= 24 ? n_dofs : 1)
  for (int i = 0; i < n_dofs; ++i)
    energy += local[i] * row_times(elements.matrices + (n_dofs * n_dofs * e + n_dofs * i), local);
  c[e] = energy;
}

/// Operator node by node with one thread each, by the reverse connectivity, with full element
/// matrices.
/// @tparam Reverse  the reverse connectivity on the device: made from the memory and NodeToElement,
///                  it has view(), bytes() and memory_estimate()
/// @tparam n_components  components per node
/// @tparam n_element_nodes  nodes per element
template <typename Number, typename Reverse, int n_components = 3, int n_element_nodes = 8>
class NodeByNode : public StoredMatricesOperator<Number, n_components, n_element_nodes>
{
  using Base = StoredMatricesOperator<Number, n_components, n_element_nodes>;

public:
  NodeByNode(Backend &backend, const ElementMesh &mesh, const Material &material)
    : NodeByNode(backend, mesh, material, NodeToElement::build(mesh))
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (this->n_nodes_ == 0)
      return;
    nbn_kernel<<<n_blocks(this->n_nodes_, nbn_block_size),
                 nbn_block_size,
                 0,
                 this->context_.activate()>>>(this->elements(),
                                              reverse_.view(),
                                              x.data(),
                                              y.data());
    STRUT_CUDA_CHECK_LAUNCH("nbn_kernel");
  }

  void diagonal(Array<Number> &d) const override
  {
    if (this->n_nodes_ == 0)
      return;
    nbn_diagonal_kernel<<<n_blocks(this->n_nodes_, nbn_diagonal_block_size),
                          nbn_diagonal_block_size,
                          0,
                          this->context_.activate()>>>(this->elements(), reverse_.view(), d.data());
    STRUT_CUDA_CHECK_LAUNCH("nbn_diagonal_kernel");
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    if (this->n_nodes_ == 0)
      return;
    nbn_block_kernel<<<n_blocks(this->n_nodes_, nbn_diagonal_block_size),
                       nbn_diagonal_block_size,
                       0,
                       this->context_.activate()>>>(this->elements(),
                                                    reverse_.view(),
                                                    blocks.data());
    STRUT_CUDA_CHECK_LAUNCH("nbn_block_kernel");
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (this->n_elements_ == 0)
      return;
    nbn_energy_kernel<<<n_blocks(this->n_elements_, nbn_block_size),
                        nbn_block_size,
                        0,
                        this->context_.activate()>>>(this->elements(), u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("nbn_energy_kernel");
  }

  OperatorCost cost() const override
  {
    OperatorCost cost = Base::cost();
    cost.memory_bytes = memory_estimate(this->n_elements_, this->n_nodes_);
    cost.bytes_per_apply += reverse_.bytes();
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return Base::memory_estimate(n_elements, n_nodes) +
           Reverse::memory_estimate(n_elements, n_nodes);
  }

private:
  NodeByNode(Backend &backend,
             const ElementMesh &mesh,
             const Material &material,
             const NodeToElement &map)
    : Base(backend, mesh, material, row_major(n_components, n_element_nodes))
    , reverse_(backend.memory(), map)
  {}

  Reverse reverse_;
};
} // namespace strut::cuda
