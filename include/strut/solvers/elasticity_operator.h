// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/solvers/linear_operator.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strut
{
template <typename Number>
class ConsistentMass;
template <typename Number>
class DependentDofs;
template <typename Number>
class HaloExchange;

/// The stiffness operator of a distributed mesh with its supports. It combines an ElementOperator,
/// the sums over rank boundaries, and the constrained DoFs. Those are DoFs with prescribed
/// displacements, and DoFs that depend on others (AffineRows).
///
/// On vectors that vanish on the constrained DoFs it is the stiffness of the free ones,
/// `P C^T K C P`. P is the projection onto the free DoFs. C is the matrix that gives the dependent
/// DoFs from the others (1 without any). The product is symmetric positive definite if the supports
/// leave no rigid motion.
///
/// Entries of vectors on dependent DoFs are ignored: products overwrite those of x with the values
/// that follow from the others.
///
/// On a mesh with one component per node it is the operator of a scalar equation, such as heat
/// conduction: see ElementOperator. It takes Law::factor then.
template <typename Number>
class ElasticityOperator : public LinearOperator<Number>
{
public:
  /// Collective. The ranks communicate before anything here can fail. So a rank that throws alone
  /// (out of memory, say) leaves no other rank waiting in here.
  ///
  /// @param mesh  must outlive this object
  /// @param strategy  a name in backend.strategies<Number>(); throws Error with the list otherwise
  /// @param first  law of the first stiffness, Law::known(); all but factors must be set before all
  ///   products
  ElasticityOperator(Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const Material &material,
                     const std::string &strategy,
                     const Law &first = Law::factor);
  ~ElasticityOperator() override;

  /// Sets the stiffness of the elements, by the law that strategies know (Stiffness::known()). The
  /// first one of a law makes an element operator; that of tangents is dropped with them. Numbers
  /// that come by functions, and Lame's parameters, are copied. Solids of a table, and what factors
  /// multiply, must stay. Throws Error for a law that the strategy or the formulation of the
  /// material does not take. If the numbers do not come whole, since a function throws or memory
  /// runs out, the stiffness is lost.
  void set(const Stiffness &stiffness);

  /// The layout of the stiffness in force. Here Law::table counts as Law::factor: who does not know
  /// the solids of a table computes with factors of the material.
  const StiffnessLayout &layout() const
  {
    return layout_;
  }
  const Law &law() const
  {
    return layout_.law;
  }

  /// Returns the stiffness in force: these factors of the material if they were given by an array,
  /// or else the numbers of set(). Tangents are rounded to Number.
  Stiffness stiffness(const Array<double> *factors) const;

  /// Returns the means of the stiffness in force over the points of each element; see stiffness().
  Stiffness means(const Array<double> *factors) const;

  /// Whether the stiffness was lost. Then all members that need the elements throw Error until the
  /// next set(). lose() marks that of this rank as lost because another rank lost its own.
  bool is_lost() const
  {
    return is_lost_;
  }
  void lose();

  /// Whether factors are in force and can be returned by factors(); see ElementOperator::factors().
  /// All ranks have the same answer.
  bool tells_factors() const;
  void factors(Array<double> &factors) const;

  /// Adds a diagonal matrix S to K from now on: springs to the ground, or a mass times a number.
  /// Products, lift(), the diagonal and its blocks are those of K + S; energies() are those of K.
  /// Collective.
  ///
  /// @param values  `[n_owned]`; empty on all ranks: none
  void set_shift(const std::vector<double> &values);

  /// Adds `factor M` to K in place of a diagonal matrix. `values` are the entries of a diagonal
  /// approximation; shift() returns them for preconditioners. Collective.
  void set_shift(const std::vector<double> &values,
                 std::shared_ptr<const ConsistentMass<Number>> mass,
                 double factor);

  /// Whether a shift is set.
  bool has_shift() const
  {
    return has_shift_;
  }

  /// The diagonal shift, `[n_local]`, zero on ghosts; of size 0 if there is none.
  const Array<Number> &shift() const
  {
    return shift_;
  }

  /// y = C^T S C x for a diagonal S like shift(). x must vanish where displacements are prescribed.
  void apply_diagonal(const Array<Number> &S, Array<Number> &x, Array<Number> &y);

  /// y = C^T M C x; x must vanish where displacements are prescribed. The second function computes
  /// y = M x on all owned DoFs.
  void apply_mass(const ConsistentMass<Number> &M, Array<Number> &x, Array<Number> &y);
  void
  apply_mass_unconstrained(const ConsistentMass<Number> &M, Array<Number> &x, Array<Number> &y);

  /// y = P C^T K C x. x must vanish where displacements are prescribed.
  void apply(Array<Number> &x, Array<Number> &y) override;

  /// Whether the strategy takes float. False with two passes, a shift, and with dependent DoFs,
  /// whose values in float would not follow from the others.
  bool takes_float() const override;
  void apply_to_float(Array<float> &x, Array<Number> &y) override;

  /// y = C^T K C x on all owned DoFs, including those with prescribed displacements (reactions).
  /// Entries on dependent DoFs are undefined.
  void apply_unconstrained(Array<Number> &x, Array<Number> &y);

  /// y = K x on owned DoFs before others follow from them: the forces of nodes on the elements, for
  /// x with the values of all owned DoFs. Collective.
  void nodal_forces(Array<Number> &x, Array<Number> &y);

  /// The contribution of this rank's elements to y = C^T K C x, ghosts included, for x with valid
  /// ghosts. The caller sums over ranks.
  void apply_local(Array<Number> &x, Array<Number> &y);

  /// Whether subtract_local() is available, on all ranks or on none. It is not with dependent DoFs
  /// or a shift, nor with Lame's parameters in two passes.
  bool can_subtract() const;

  /// Subtracts from y the result of apply_local().
  void subtract_local(const Array<Number> &x, Array<Number> &y) const;

  /// Sets g to the prescribed displacements, 0 on free DoFs, and y = C^T K g on owned DoFs. Entries
  /// of y on dependent DoFs are undefined.
  void lift(Array<Number> &g, Array<Number> &y);

  /// Returns the sum of u_i (C^T K C u)_i over the constrained DoFs, the work of the reactions.
  /// Collective.
  ///
  /// @param u,  y  `[n_local]`; y is overwritten
  double reaction_work(Array<Number> &u, Array<Number> &y);

  /// f = C^T f: moves forces from dependent DoFs to their masters, and leaves 0 there. Collective.
  ///
  /// @param f  entries on owned DoFs
  void condense(Array<Number> &f);

  /// x = C x: sets dependent DoFs from their masters, without the constant values of the rows.
  /// Collective.
  void distribute(Array<Number> &x);

  /// Sets d_i = K_ii on owned DoFs, 1 on constrained ones. To masters it adds the K_jj of their
  /// dependent DoFs j, by weight, which bounds C^T diag(K) C.
  void diagonal(Array<Number> &d);

  /// The contribution of this rank's elements to the blocks of nodes, as
  /// ElementOperator::diagonal_blocks() has them, ghosts and constrained DoFs included. Masters get
  /// that of their dependent DoFs as in diagonal().
  void local_diagonal_blocks(Array<Number> &blocks) const;

  /// c_e = u_e^T K0_e u_e. K0 are the stiffness matrices without factors: those of the material or
  /// of the solids, or with Lame's parameters or tangents alone. Refreshes the ghosts of u.
  void energies(Array<Number> &u, Array<double> &c);

  /// Sets x_i = 0 on the constrained DoFs.
  void zero_constrained(Array<Number> &x) const;

  /// Sets x_i on the constrained DoFs to the prescribed displacement, or to the value that follows
  /// from other DoFs. Refreshes ghosts where some DoFs are dependent; collective.
  void set_constrained(Array<Number> &x);

  /// Replaces the prescribed displacements of the same DoFs, in the order of
  /// ElementMesh::constrained_dofs, and the values of the rows, in that of AffineRows::dofs. Values
  /// of ghosts are ignored: products fetch those of the owners. Collective.
  void set_prescribed(const std::vector<double> &values,
                      const std::vector<double> &values_of_rows = {});

  /// True if some prescribed displacement, or value of a row, is not zero on some rank.
  bool has_prescribed_displacements() const
  {
    return inhomogeneous_;
  }

  /// True if some DoF, on any rank, depends on others.
  bool has_dependent() const
  {
    return has_dependent_;
  }

  std::size_t n_local() const override
  {
    return n_local_;
  }
  std::size_t n_owned() const override
  {
    return n_owned_;
  }

  /// The element operator that products use now. Throws Error where the stiffness was lost.
  const ElementOperator<Number> &element_operator() const;

private:
  /// Throws Error unless the strategy takes the type of the elements.
  void require_type() const;
  /// Throws Error unless the components of the mesh go with the law and the strategy.
  void require_components(const Law &law) const;
  /// Throws Error unless strategy and formulation of the material take the law.
  void require_law(const Law &law) const;
  /// Returns the element operator for a law; makes it if there is none, and drops those with large
  /// data.
  ElementOperator<Number> &provide_element_operator(const Law &law);
  /// Returns the stiffness with all its numbers in arrays, which are the products with its factors.
  Stiffness copied(const Stiffness &stiffness);
  void add_shift(const Array<Number> &x, Array<Number> &y) const; ///< y += S x
  /// Whether products are those of one element operator, without dependent DoFs or a shift.
  bool computes_alone() const;

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  const Material material_;
  const Strategy<Number> &strategy_;
  /// Some rank has dependent DoFs; first member, as its initialisation communicates.
  bool has_dependent_;
  bool inhomogeneous_; ///< some rank has a nonzero prescribed value
  std::size_t n_local_;
  std::size_t n_owned_;
  std::unique_ptr<HaloExchange<Number>> halo_;
  std::unique_ptr<HaloExchange<float>> halo_in_float_; ///< allocated at the first x in float
  Array<std::uint32_t> constrained_dofs_;
  Array<std::uint32_t> zero_dofs_; ///< constrained_dofs_ and the dependent DoFs
  Array<Number> constrained_values_;
  std::unique_ptr<DependentDofs<Number>> dependent_;
  Array<std::uint32_t> ghosts_; ///< DoFs; only if some DoFs are dependent
  StiffnessLayout layout_;
  bool is_lost_ = false;
  /// An element operator, and the law that it was made for.
  struct OfLaw
  {
    Law law;
    std::unique_ptr<ElementOperator<Number>> elements;
  };
  std::vector<OfLaw> made_;
  /// The operator in force; null where it is lost.
  ElementOperator<Number> *of_elements_ = nullptr;
  std::vector<Array<double>> numbers_; ///< numbers in force, if this object has copies of them
  std::optional<Stiffness> solids_;    ///< copied numbers without the factors of times()
  bool has_shift_ = false;
  Array<Number> shift_;
  std::shared_ptr<const ConsistentMass<Number>> mass_; ///< null: the shift is diagonal
  Number mass_factor_ = 0;
  Array<Number> mass_diagonal_; ///< diagonal of `factor M` of the elements of this rank
};

/// The strategy with this name. Throws Error with the list of the backend's strategies if there is
/// none.
template <typename Number>
const Strategy<Number> &find_strategy(const Backend &backend, const std::string &name);
} // namespace strut
