// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>
#include <strut/base/array.h>
#include <strut/base/exceptions.h>

#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
struct ElementMesh;

/// Bytes and flops of one application of an operator, and the bytes that it keeps. They are counted
/// from the algorithm, not measured, and are per rank.
struct OperatorCost
{
  double bytes_per_apply = 0; ///< compulsory traffic: matrices, connectivity, factors, vectors once
  double flops_per_apply = 0;
  double memory_bytes    = 0; ///< kept by the strategy for its lifetime, without the vectors
};

/// The product `y = sum_e P_e^T (E_e K0_e) P_e x` over the elements of one rank, computed in one
/// particular way (a strategy). `K0_e` is the stiffness of element e at stiffness factor 1. `P_e`
/// picks the 24 DoFs of the element, `3 * node + component`. In place of `E_e K0_e` another Law may
/// give the matrices.
///
/// With one component per node (ElementMesh::n_components) it is the Laplacian: E_e is a
/// conductivity, `K0_e = int grad N_a . grad N_b`, and P_e picks 8 DoFs.
///
/// Constraints and the halo are not handled here: x must hold valid ghost values, and y receives
/// partial sums on ghosts. ElasticityOperator adds both. Arrays have ElementMesh::n_dofs() entries.
template <typename Number>
class ElementOperator
{
public:
  virtual ~ElementOperator() = default;

  /// The laws that set() takes, for Strategy::laws.
  static std::vector<Law> laws()
  {
    return {Law::factor};
  }

  /// Sets the factors E_e, `[n_elements]`, in the memory of the backend. They are all one after
  /// construction.
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// Sets the stiffness by a law of Strategy::laws; by default that is Law::factor, by
  /// set_stiffness(). Callers give an operator one law all its life, its numbers in arrays, except
  /// tangents, and a table with factors.
  ///
  /// @param mesh  the mesh that this operator was made from
  virtual void set(const ElementMesh &mesh, const Stiffness &stiffness);

  /// Sets values, `[n_elements]`, to the mean of a component of the last set() over n_points points
  /// from first_point on, as rounded to Number. For Law::tangents.
  virtual void mean_component(unsigned int component,
                              unsigned int first_point,
                              unsigned int n_points,
                              Array<double> &values) const;

  /// Returns the factors of the last set_stiffness(), rounded to Number, `[n_elements]`, so that
  /// callers need not keep them; with Strategy::tells_factors.
  virtual void factors(Array<double> &factors) const;

  /// y = K x; overwrites y.
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;

  /// y = K x for an x in float, whose entries are converted to Number as they are read. The result
  /// is that of apply() for the same numbers. With Strategy::takes_float.
  virtual void apply_to_float(const Array<float> &x, Array<Number> &y) const;

  /// y -= K x, which takes less time than a product and a subtraction; with Strategy::subtracts.
  virtual void subtract(const Array<Number> &x, Array<Number> &y) const;

  /// d_i = K_ii; overwrites d.
  virtual void diagonal(Array<Number> &d) const = 0;

  /// The 3x3 blocks K_nn of the nodes, `[n_nodes][6]`: xx, xy, xz, yy, yz, zz; with one component
  /// per node the diagonal. Overwrites `blocks`, which may have more entries. Throws Error if the
  /// strategy does not offer them (multigrid needs them). Each call gives the same bits if the
  /// strategy is deterministic.
  virtual void diagonal_blocks(Array<Number> &blocks) const;

  /// c_e = u_e^T K0_e u_e, `[n_elements]`: twice the strain energy at stiffness factor 1, or with
  /// the tangents. Lame's parameters have energies_of().
  virtual void energies(const Array<Number> &u, Array<double> &c) const = 0;

  /// c_e = u_e^T K_e u_e for Lame's parameters, which need not be those of set(). For Law::lame,
  /// after set().
  virtual void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const;

  virtual OperatorCost cost() const = 0;
};

template <typename Number>
void ElementOperator<Number>::set(const ElementMesh &, const Stiffness &stiffness)
{
  if (stiffness.law() != Law::factor)
    throw Error(std::string("This operator takes no ") + stiffness.law().name + ".");
  Array<double> work;
  set_stiffness(stiffness.component(0, 0, work));
}

template <typename Number>
void ElementOperator<Number>::mean_component(unsigned int,
                                             unsigned int,
                                             unsigned int,
                                             Array<double> &) const
{
  throw Error("This operator takes no tangents.");
}

template <typename Number>
void ElementOperator<Number>::energies_of(const Stiffness &,
                                          const Array<Number> &,
                                          Array<double> &) const
{
  throw Error("This operator takes no Lame's parameters.");
}

template <typename Number>
void ElementOperator<Number>::apply_to_float(const Array<float> &, Array<Number> &) const
{
  throw Error("This operator takes no vectors in float. 'on_the_fly' does.");
}

template <typename Number>
void ElementOperator<Number>::subtract(const Array<Number> &, Array<Number> &) const
{
  throw Error("This operator does not subtract its products. 'on_the_fly' does.");
}

template <typename Number>
void ElementOperator<Number>::factors(Array<double> &) const
{
  throw Error("This operator does not tell its stiffness factors. 'on_the_fly' does.");
}

template <typename Number>
void ElementOperator<Number>::diagonal_blocks(Array<Number> &) const
{
  throw Error("This operator does not offer the blocks of its diagonal. 'on_the_fly' does.");
}
} // namespace strut
