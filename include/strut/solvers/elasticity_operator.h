// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/tangent_elements.h>
#include <strut/parallel/halo_exchange.h>
#include <strut/solvers/linear_operator.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
template <typename Number>
class ConsistentMass;
template <typename Number>
class DependentDofs;
template <typename Number>
class LameOperator;

/// How the elements of an operator get their stiffness first: by factors of one material, or by Lame's parameters.
enum class ElementParameters
{
  factors,
  lame ///< no element operator for factors is made before they are set
};

/// The stiffness operator of a distributed mesh with its supports: an ElementOperator, the sums over
/// rank boundaries, and the constrained DoFs: those with prescribed displacements, and those that depend
/// on others (AffineRows).
///
/// On vectors that vanish on the constrained DoFs it is the stiffness of the free ones, `P C^T K C P` with
/// P the projection onto them and C the matrix that gives the dependent DoFs from the others (1 without
/// any), symmetric positive definite if the supports leave no rigid motion.
///
/// Entries of vectors on dependent DoFs count for nothing: products overwrite those of x with the values
/// that follow from the others.
template <typename Number>
class ElasticityOperator : public LinearOperator<Number>
{
public:
  /// Collective. The ranks communicate before anything here can fail, so one that throws alone (out
  /// of memory, say) leaves no other waiting in here.
  /// @param mesh  must outlive this object
  /// @param strategy  a name in backend.strategies<Number>(); throws Error with the list otherwise
  /// @param first  with lame, set_lame() or set_solids() comes before all products
  ElasticityOperator(Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const Material &material,
                     const std::string &strategy,
                     ElementParameters first = ElementParameters::factors);
  ~ElasticityOperator() override;

  /// In place of the material: Lame's parameters of the solid of each element, `[n_elements]`, as set_lame() takes them.
  /// From now on factors are of these, `K = sum_e E_e (lambda_e K_lambda,e + mu_e K_mu,e)`, has_lame() is true, and
  /// energies() are those of the solids. Throws Error for a material as set_lame().
  void set_solids(const std::vector<double> &lambda, const std::vector<double> &mu);

  /// In place of the material: solids of the elements. From now on factors are of these, and so are energies(). Throws Error if the
  /// strategy knows isotropic solids alone, and for a material as set_lame().
  void set_solids(const AnisotropicSolids &solids);

  /// Element stiffness factors E_e, `[n_elements]`, on the backend.
  void set_stiffness(const Array<double> &factors);

  /// Whether those are in force, and factors() gives them, as ElementOperator::factors(). The same on all ranks.
  bool tells_factors() const;
  void factors(Array<double> &factors) const;

  /// In place of material and factors: Lame's parameters of each element, `[n_elements]`, on the backend; mu and
  /// 3 lambda + 2 mu >= 0.
  /// Until the next set_stiffness(). The first call makes another element operator, or two where those of the strategy
  /// are no LameElements. The material's VolumetricIntegration stays. Throws Error for one with incompatible modes.
  void set_lame(const Array<double> &lambda, const Array<double> &mu);

  /// In place of material and factors: a tangent of each Gauss point, or of each element, until the next
  /// set_stiffness() or set_lame(). The first call makes another element operator. Throws Error where those of the
  /// strategy are no TangentElements, and for a material with mean dilatation or incompatible modes. Where fields throw, or
  /// memory runs out, the tangents are lost.
  /// @param n_points  8, or 1
  void set_tangents(unsigned int n_points, const TangentFields &fields);

  /// Those of an element, 8 or 1, while they are in force; else 0.
  unsigned int n_tangent_points() const
  {
    return n_tangent_points_;
  }
  bool has_tangents() const
  {
    return n_tangent_points_ > 0;
  }

  /// Lost tangents: until something is set, all that needs the elements throws Error. By lose_tangents() those of this rank
  /// are lost as those of another one.
  bool has_lost_tangents() const
  {
    return has_lost_tangents_;
  }
  void lose_tangents();

  /// Those in force, and the means of elements, as rounded to Number.
  void tangents(unsigned int point, unsigned int component, Array<double> &values) const;
  void mean_tangents(unsigned int component, Array<double> &values) const;

  /// Whether Lame's parameters are in force; and those of now.
  bool has_lame() const
  {
    return has_lame_;
  }
  /// Those of set_solids(), `[n_elements]`.
  const Array<double> &lambda_of_solids() const
  {
    return solid_lambda_;
  }
  const Array<double> &mu_of_solids() const
  {
    return solid_mu_;
  }
  const Array<double> &lambda() const
  {
    return lambda_;
  }
  const Array<double> &mu() const
  {
    return mu_;
  }

  /// Add a diagonal matrix to K from now on: springs to the ground, or a mass times a number. Products, lift(), the
  /// diagonal and its blocks are those of K + S, energies() those of K. Collective.
  /// @param values  `[n_owned]`; empty on all ranks: none
  void set_shift(const std::vector<double> &values);

  /// Add `factor M` to K in place of a diagonal matrix; `values`, those of a diagonal matrix near to it, stand for it in
  /// shift(), which preconditioners take. Collective.
  void set_shift(const std::vector<double> &values,
                 std::shared_ptr<const ConsistentMass<Number>> mass,
                 double factor);

  /// Whether there is one.
  bool has_shift() const
  {
    return has_shift_;
  }

  /// `[n_local]`, zero on ghosts; of the size 0 if there is none.
  const Array<Number> &shift() const
  {
    return shift_;
  }

  /// y = C^T S C x for a diagonal S as shift(). x must vanish where displacements are prescribed.
  void apply_diagonal(const Array<Number> &S, Array<Number> &x, Array<Number> &y);

  /// y = C^T M C x, likewise; and y = M x on all owned DoFs.
  void apply_mass(const ConsistentMass<Number> &M, Array<Number> &x, Array<Number> &y);
  void
  apply_mass_unconstrained(const ConsistentMass<Number> &M, Array<Number> &x, Array<Number> &y);

  /// y = P C^T K C x. x must vanish where displacements are prescribed.
  void apply(Array<Number> &x, Array<Number> &y) override;

  /// By an ElementOperator that does, without dependent DoFs, whose values in float would not be those of the others, and
  /// without a shift.
  bool takes_float() const override;
  void apply_to_float(Array<float> &x, Array<Number> &y) override;

  /// y = C^T K C x on all owned DoFs, those with prescribed displacements included (reactions); anything on
  /// dependent ones.
  void apply_unconstrained(Array<Number> &x, Array<Number> &y);

  /// What the elements of this rank give to y = C^T K C x, ghosts included, for x with valid ghosts; the sums over ranks
  /// are the caller's.
  void apply_local(Array<Number> &x, Array<Number> &y);

  /// Whether there is subtract_local(), on all ranks or on none: not with dependent DoFs or a shift, nor with Lame's
  /// parameters in two passes.
  bool can_subtract() const;

  /// y -= what apply_local() gives.
  void subtract_local(const Array<Number> &x, Array<Number> &y) const;

  /// g = what is prescribed, 0 on free DoFs; y = C^T K g on owned DoFs, anything on dependent ones.
  void lift(Array<Number> &g, Array<Number> &y);

  /// sum of u_i (C^T K C u)_i over the constrained DoFs: the work of the reactions. Collective.
  /// @param u, y  `[n_local]`; y is overwritten
  double reaction_work(Array<Number> &u, Array<Number> &y);

  /// f = C^T f: forces on dependent DoFs go to those that they depend on, and are 0 afterwards. Collective.
  /// @param f  on owned DoFs
  void condense(Array<Number> &f);

  /// x = C x: dependent DoFs follow from the others, without their values. Collective.
  void distribute(Array<Number> &x);

  /// d_i = K_ii on owned DoFs, 1 on constrained ones. Masters of dependent DoFs j: with their K_jj as well, by
  /// weight, which bounds C^T diag(K) C.
  void diagonal(Array<Number> &d);

  /// What the elements of this rank give to the 3x3 blocks of nodes, `[n_nodes][6]`, ghosts and constrained DoFs
  /// included; to those of masters as in diagonal().
  void local_diagonal_blocks(Array<Number> &blocks) const;

  /// c_e = u_e^T K0_e u_e, with factors of 1; refreshes the ghosts of u.
  void energies(Array<Number> &u, Array<double> &c);

  /// x_i = 0 on the constrained DoFs.
  void zero_constrained(Array<Number> &x) const;

  /// x_i = the prescribed displacement, or what follows from other DoFs, on the constrained DoFs. Refreshes
  /// ghosts where some are dependent; collective.
  void set_constrained(Array<Number> &x);

  /// Other prescribed displacements of the same DoFs, in the order of ElementMesh::constrained_dofs, and
  /// other values of the rows, in that of AffineRows::dofs.
  /// Those of ghosts count for nothing: products fetch the values of the owners. Collective.
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

  /// The one that products use now. Throws Error where tangents were lost.
  const ElementOperator<Number> &element_operator() const;

private:
  void add_shift(const Array<Number> &x, Array<Number> &y) const; ///< y += S x
  void drop_tangents();                                           ///< and their memory

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  const Material material_;
  const Strategy<Number> &strategy_;
  bool has_dependent_; ///< on some rank; first, as it communicates
  bool inhomogeneous_; ///< the same
  std::size_t n_local_;
  std::size_t n_owned_;
  std::unique_ptr<ElementOperator<Number>> element_operator_; ///< null: there were no factors yet
  HaloExchange<Number> halo_;
  std::unique_ptr<HaloExchange<float>> halo_in_float_; ///< once there was an x in float
  Array<std::uint32_t> constrained_dofs_;
  Array<std::uint32_t> zero_dofs_; ///< those, and the dependent ones
  Array<Number> constrained_values_;
  std::unique_ptr<DependentDofs<Number>> dependent_;
  Array<std::uint32_t> ghosts_; ///< DoFs; with dependent ones only
  bool has_lame_ = false;
  std::unique_ptr<LameOperator<Number>> lame_operator_; ///< once it was asked for
  Array<double> lambda_, mu_;
  std::unique_ptr<ElementOperator<Number>> tangent_operator_; ///< while tangents are in force
  TangentElements<Number> *tangents_ = nullptr;               ///< the same
  unsigned int n_tangent_points_     = 0;
  bool has_lost_tangents_            = false;
  bool has_solids_                   = false;
  Array<double> solid_lambda_, solid_mu_; ///< only with solids
  bool has_shift_ = false;
  Array<Number> shift_;
  std::shared_ptr<const ConsistentMass<Number>> mass_; ///< null: the shift is diagonal
  Number mass_factor_ = 0;
  Array<Number> mass_diagonal_; ///< of `factor M`, of the elements of this rank
};

/// The strategy with this name; throws Error that lists those of the backend.
template <typename Number>
const Strategy<Number> &find_strategy(const Backend &backend, const std::string &name);
} // namespace strut
