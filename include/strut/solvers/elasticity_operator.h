// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/parallel/halo_exchange.h>
#include <strut/solvers/linear_operator.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The stiffness operator of a distributed mesh with its supports: an ElementOperator, the sums over
/// rank boundaries, and the constrained DoFs.
///
/// On vectors that vanish on the constrained DoFs it is the stiffness of the free ones, `P K P` with
/// P the projection onto them, symmetric positive definite if the supports leave no rigid motion.
template <typename Number>
class ElasticityOperator : public LinearOperator<Number>
{
public:
  /// Collective. The ranks communicate before anything here can fail, so one that throws alone (out
  /// of memory, say) leaves no other waiting in here.
  /// @param strategy  a name in backend.strategies<Number>(); throws Error with the list otherwise
  ElasticityOperator(Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const Material &material,
                     const std::string &strategy);

  /// Element stiffness factors E_e, `[n_elements]`, on the backend.
  void set_stiffness(const Array<double> &factors)
  {
    element_operator_->set_stiffness(factors);
  }

  /// y = P K x. x must vanish on the constrained DoFs.
  void apply(Array<Number> &x, Array<Number> &y) override;

  /// y = K x on all owned DoFs, constrained ones included (reactions, right hand sides).
  void apply_unconstrained(Array<Number> &x, Array<Number> &y);

  /// d_i = K_ii on owned DoFs, 1 on constrained ones.
  void diagonal(Array<Number> &d);

  /// c_e = u_e^T K0_e u_e; refreshes the ghosts of u.
  void energies(Array<Number> &u, Array<double> &c);

  /// x_i = 0 on the constrained DoFs.
  void zero_constrained(Array<Number> &x) const;

  /// x_i = the prescribed displacement on the constrained DoFs.
  void set_constrained(Array<Number> &x) const;

  /// Other prescribed displacements of the same DoFs, in the order of ElementMesh::constrained_dofs.
  /// Those of ghosts count for nothing: products fetch the values of the owners. Collective.
  void set_prescribed(const std::vector<double> &values);

  /// True if some prescribed displacement, on any rank, is not zero.
  bool has_prescribed_displacements() const
  {
    return inhomogeneous_;
  }

  std::size_t n_local() const override
  {
    return n_local_;
  }
  std::size_t n_owned() const override
  {
    return n_owned_;
  }

  const ElementOperator<Number> &element_operator() const
  {
    return *element_operator_;
  }

private:
  Backend &backend_;
  Communicator communicator_;
  bool inhomogeneous_; ///< first, as it communicates
  std::size_t n_local_;
  std::size_t n_owned_;
  std::unique_ptr<ElementOperator<Number>> element_operator_;
  HaloExchange<Number> halo_;
  Array<std::uint32_t> constrained_dofs_;
  Array<Number> constrained_values_;
};

/// The strategy with this name; throws Error that lists those of the backend.
template <typename Number>
const Strategy<Number> &find_strategy(const Backend &backend, const std::string &name);
} // namespace strut
