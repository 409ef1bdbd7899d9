// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/exceptions.h>

#include <cstddef>

namespace strut
{
struct AnisotropicSolids;
struct ElementMesh;

/// Bytes and flops of one application of an operator, and the bytes that it keeps; counted from the
/// algorithm, not measured. Everything per rank.
struct OperatorCost
{
  double bytes_per_apply = 0; ///< compulsory traffic: matrices, connectivity, factors, vectors once
  double flops_per_apply = 0;
  double memory_bytes    = 0; ///< kept by the strategy for its lifetime, without the vectors
};

/// The product `y = sum_e P_e^T (E_e K0_e) P_e x` over the elements of one rank, in one particular
/// way (a strategy). `K0_e` is the stiffness of element e at stiffness factor 1, `P_e` picks the 24
/// DoFs of the element, `3 * node + component`.
///
/// No constraints and no halo here: x must hold valid ghost values, and y receives partial sums on
/// ghosts (see ElasticityOperator, which adds both). Arrays have `3 * n_nodes` entries.
template <typename Number>
class ElementOperator
{
public:
  virtual ~ElementOperator() = default;

  /// Set the factors E_e, `[n_elements]`, in the memory of the backend. All ones after construction.
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// Whether there is factors(): Strategy::tells_factors.
  virtual bool tells_factors() const
  {
    return false;
  }

  /// Those of the last set_stiffness(), rounded to Number, `[n_elements]`, so that nobody has to keep them for later.
  /// Throws Error if the operator has them no more.
  virtual void factors(Array<double> &factors) const;

  /// In place of the Material: solids of the elements of the mesh that this operator was made of. @return false: nothing is done,
  /// since it knows isotropic ones alone (Strategy::any_solid).
  virtual bool set_solids(const ElementMesh & /*mesh*/, const AnisotropicSolids & /*solids*/)
  {
    return false;
  }

  /// y = K x; overwrites y.
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;

  /// Whether there is apply_to_float(): Strategy::takes_float.
  virtual bool takes_float() const
  {
    return false;
  }

  /// y = K x of an x in float, whose entries become Number as they are read: what apply() gives for the same numbers.
  virtual void apply_to_float(const Array<float> &x, Array<Number> &y) const;

  /// Whether there is subtract().
  virtual bool can_subtract() const
  {
    return false;
  }

  /// y -= K x, which takes less time than a product and a difference.
  virtual void subtract(const Array<Number> &x, Array<Number> &y) const;

  /// d_i = K_ii; overwrites d.
  virtual void diagonal(Array<Number> &d) const = 0;

  /// The 3x3 blocks K_nn of the nodes, `[n_nodes][6]`: xx, xy, xz, yy, yz, zz; overwrites `blocks`.
  /// Throws Error if the strategy does not offer them (multigrid asks for them). The same bits in each call if the strategy is
  /// deterministic.
  virtual void diagonal_blocks(Array<Number> &blocks) const;

  /// c_e = u_e^T K0_e u_e, `[n_elements]`: twice the strain energy at stiffness factor 1.
  virtual void energies(const Array<Number> &u, Array<double> &c) const = 0;

  virtual OperatorCost cost() const = 0;
};

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
