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
template <typename Number, int n_components = 3>
struct ElementsView
{
  /// DoFs of an element, `n_components * vertex + component`
  static constexpr int n_local = 8 * n_components;

  const Number *__restrict__ matrices;         ///< `[n_local][n_local][n_elements]`
  const LocalIndex *__restrict__ connectivity; ///< `[8][n_elements]`
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
    for (int v = 0; v < 8; ++v)
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
/// neighbouring words for any number of threads per element. The row of component i of vertex a and
/// the column of component j of vertex b of element e are at
/// `a row_vertex + i row_component + b column_vertex + j column_component + e element`.
struct MatrixLayout
{
  std::size_t row_vertex;
  std::size_t row_component;
  std::size_t column_vertex;
  std::size_t column_component;
  std::size_t element;

  /// The layout of ElementsView, for one thread per element.
  static MatrixLayout entry_major(const std::size_t n_elements, const std::size_t n_components = 3)
  {
    const std::size_t row = 8 * n_components * n_elements;
    return {n_components * row, row, n_components * n_elements, n_elements, 1};
  }
};

/// The common part of the GPU operators that store the full element matrices: matrices,
/// connectivity, stiffness factors, and strain energies. The matrices are computed on the device in
/// double; with three components they have 576 numbers per element. Derived classes define the
/// product. An operator with a layout of its own has to override the energies as well.
///
/// @tparam n_components  components per node: 3, or 1 for the Laplacian
template <typename Number, int n_components = 3>
class StoredMatricesOperator : public ElementOperator<Number>
{
public:
  static constexpr int n_dofs = 8 * n_components; ///< DoFs of an element

  StoredMatricesOperator(Backend &backend, const ElementMesh &mesh, const Material &material)
    : StoredMatricesOperator(backend,
                             mesh,
                             material,
                             MatrixLayout::entry_major(mesh.n_elements, n_components))
  {}

  static std::vector<Law> laws()
  {
    return n_components == 3 ? std::vector<Law>{Law::factor, Law::table}
                             : std::vector<Law>{Law::factor};
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override;
  void set_stiffness(const Array<double> &factors) override;

  /// Compute the diagonal by atomics. An operator that promises the same bits in every run
  /// overrides this.
  void diagonal(Array<Number> &d) const override;

  void diagonal_blocks(Array<Number> &blocks) const override; ///< only with one component
  void energies(const Array<Number> &u, Array<double> &c) const override;
  OperatorCost cost() const override;

  /// Bytes of the matrices, the connectivity and the factors.
  static double memory_estimate(std::size_t n_elements, std::size_t n_nodes);

protected:
  StoredMatricesOperator(Backend &backend,
                         const ElementMesh &mesh,
                         const Material &material,
                         const MatrixLayout &layout);

  /// The elements with matrices in the order of the layout.
  ElementsView<Number, n_components> elements() const
  {
    return {matrices_.data(), connectivity_.data(), stiffness_.data(), n_elements_};
  }

  const Context &context_;
  Memory &memory_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;

private:
  /// Compute K0_e of each element.
  /// @param solid_of  gives on the device the Material or ElasticityMatrix of an element
  template <typename SolidOf>
  void compute_matrices(const ElementMesh &mesh, const SolidOf &solid_of);

  const MatrixLayout layout_;
  Array<LocalIndex> connectivity_;   ///< `[8][n_elements]`
  Array<Number> stiffness_;          ///< E_e, `[n_elements]`
  Array<Number> matrices_;           ///< K0_e of all elements
  std::size_t number_of_solids_ = 0; ///< Stiffness::number_of_solids() of the matrices
};
} // namespace strut::cuda
