// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/element_operator.h>
#include <strut/base/array.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace strut
{
/// The stored element matrices `K0_e` at stiffness factor 1, row and column
/// `n_components * node + component`, computed in double. Those of hexahedra with three components
/// are `[n_elements][24][24]`, 576 numbers per element.
///
/// @tparam n_components  components per node: 3, or 1 for the Laplacian
/// @tparam n_element_nodes  nodes per element, ElementType::n_nodes
template <typename Number, int n_components = 3, int n_element_nodes = 8>
class ElementMatrices
{
public:
  static constexpr int n_dofs       = n_element_nodes * n_components;
  static constexpr std::size_t size = n_dofs * n_dofs;

  ElementMatrices(Memory &memory, const ElementMesh &mesh, const Material &material, int n_threads);

  /// Computes the matrices of other solids.
  void compute(const ElementMesh &mesh, const AnisotropicSolids &solids, int n_threads);

  const Number *matrix(const std::size_t element) const
  {
    return values_.data() + size * element;
  }

private:
  template <typename SolidOf>
  void compute_each(const ElementMesh &mesh, int n_threads, const SolidOf &solid_of);

  Array<Number> values_;
};

/// The elements of a mesh, for multithreaded CPU loops that add to the nodes of each element.
class ElementLoop
{
public:
  ElementLoop(const ElementMesh &mesh, int n_threads);

  /// Calls body(elements, n) for lists of n elements, until each element was in one list. Threads
  /// run it concurrently, on lists without common nodes: the elements are coloured, with a barrier
  /// after each colour. So the contributions to a node have a fixed order, and their sum has the
  /// same bits in every run with as many threads. One thread visits the elements in their order.
  /// The body must not throw.
  void run(const std::function<void(const LocalIndex *elements, std::size_t n)> &body) const;

private:
  int n_threads_;
  std::vector<LocalIndex> begin_;    ///< first of each colour in elements_, `[n_colours + 1]`
  std::vector<LocalIndex> elements_; ///< `[n_elements]`, by colour
};

/// The common part of the CPU operators that store element matrices: matrices, connectivity,
/// stiffness factors, diagonal, strain energies. Derived classes implement apply().
///
/// @tparam n_components  components per node: 3, or 1 for the Laplacian
/// @tparam n_element_nodes  nodes per element, ElementType::n_nodes
template <typename Number, int n_components = 3, int n_element_nodes = 8>
class StoredMatricesOperator : public ElementOperator<Number>
{
public:
  static constexpr int n_dofs = n_element_nodes * n_components; ///< DoFs of an element

  StoredMatricesOperator(Memory &memory,
                         const ElementMesh &mesh,
                         const Material &material,
                         int n_threads);

  static std::vector<Law> laws()
  {
    return n_components == 3 ? std::vector<Law>{Law::factor, Law::table}
                             : std::vector<Law>{Law::factor};
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override;
  void set_stiffness(const Array<double> &factors) override;
  void diagonal(Array<Number> &d) const override;
  void diagonal_blocks(Array<Number> &blocks) const override;
  void energies(const Array<Number> &u, Array<double> &c) const override;
  OperatorCost cost() const override;

  /// Bytes of the matrices, the connectivity and the factors.
  static double memory_estimate(std::size_t n_elements, std::size_t n_nodes);

protected:
  /// Gathers x_e, the values of element e, `n_components * node + component`.
  void gather(const std::size_t element, const Number *x, Number (&local)[n_dofs]) const
  {
    const LocalIndex *const nodes = connectivity_.data() + n_element_nodes * element;
    for (int v = 0; v < n_element_nodes; ++v)
      for (int c = 0; c < n_components; ++c)
        local[n_components * v + c] = x[n_components * std::size_t(nodes[v]) + c];
  }

  /// Adds P_e^T y_e to y.
  void add(const std::size_t element, const Number (&local)[n_dofs], Number *y) const
  {
    const LocalIndex *const nodes = connectivity_.data() + n_element_nodes * element;
    for (int v = 0; v < n_element_nodes; ++v)
      for (int c = 0; c < n_components; ++c)
        y[n_components * std::size_t(nodes[v]) + c] += local[n_components * v + c];
  }

  const int n_threads_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  ElementMatrices<Number, n_components, n_element_nodes> matrices_;
  Array<LocalIndex> connectivity_;   ///< `[n_elements][n_element_nodes]`
  Array<Number> stiffness_;          ///< E_e, `[n_elements]`
  std::size_t number_of_solids_ = 0; ///< Stiffness::number_of_solids() of the matrices
};
} // namespace strut
