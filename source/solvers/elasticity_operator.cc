// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/multigrid_operations.h"
#include "source/base/registry.h"
#include "source/element/full_integration.h"
#include "source/solvers/consistent_mass.h"
#include "source/solvers/constraints/dependent_dofs.h"
#include "source/solvers/lame_operator.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/base/communicator.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
bool any_but_zero(const Communicator &communicator, const std::vector<double> &values)
{
  return communicator.any(
    std::any_of(values.begin(), values.end(), [](const double value) { return value != 0.; }));
}
} // namespace

namespace
{
const Material &checked(const Material &material)
{
  require_one_element_kind(material);
  return material;
}

/// Returns constrained and dependent DoFs; no DoF is both.
std::vector<std::uint32_t> without_values(const ElementMesh &mesh)
{
  std::vector<std::uint32_t> dofs(mesh.constrained_dofs.begin(), mesh.constrained_dofs.end());
  dofs.insert(dofs.end(), mesh.dependent.dofs.begin(), mesh.dependent.dofs.end());
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}
} // namespace

template <typename Number>
const Strategy<Number> &find_strategy(const Backend &backend, const std::string &name)
{
  return find_named(backend.strategies<Number>(),
                    name,
                    "operator of the backend '" + backend.name() + "' by the name");
}

template <typename Number>
ElasticityOperator<Number>::ElasticityOperator(Backend &backend,
                                               const Communicator &communicator,
                                               const ElementMesh &mesh,
                                               const Material &material,
                                               const std::string &strategy,
                                               const ElementParameters first)
  : backend_(backend)
  , communicator_(communicator)
  , mesh_(mesh)
  , material_(material)
  , strategy_(find_strategy<Number>(backend, strategy))
  , has_dependent_(communicator.any(!mesh.dependent.empty()))
  , inhomogeneous_(any_but_zero(communicator, mesh.constrained_values) ||
                   any_but_zero(communicator, mesh.dependent.values))
  , n_local_(mesh.n_dofs())
  , n_owned_(mesh.n_owned_dofs())
  , element_operator_(
      first == ElementParameters::lame ? nullptr : strategy_.make(backend, mesh, checked(material)))
  , halo_(std::make_unique<HaloExchange<Number>>(backend, communicator, mesh.node_halo, 3))
  , constrained_dofs_(backend.memory(), mesh.constrained_dofs)
  , zero_dofs_(backend.memory(), without_values(mesh))
  , constrained_values_(backend.memory(),
                        std::vector<Number>(mesh.constrained_values.begin(),
                                            mesh.constrained_values.end()))
  , dependent_(std::make_unique<DependentDofs<Number>>(backend, mesh))
{
  if (!has_dependent_)
    return;
  std::vector<std::uint32_t> ghosts(n_local_ - n_owned_);
  std::iota(ghosts.begin(), ghosts.end(), static_cast<std::uint32_t>(n_owned_));
  ghosts_ = Array<std::uint32_t>(backend.memory(), ghosts);
}

template <typename Number>
ElasticityOperator<Number>::~ElasticityOperator() = default;

template <typename Number>
void ElasticityOperator<Number>::set_prescribed(const std::vector<double> &values,
                                                const std::vector<double> &values_of_rows)
{
  const bool of_dofs = any_but_zero(communicator_, values);
  inhomogeneous_     = any_but_zero(communicator_, values_of_rows) || of_dofs;
  constrained_values_.copy_from_host(std::vector<Number>(values.begin(), values.end()));
  if (!dependent_->empty())
    dependent_->set_values(values_of_rows);
}

template <typename Number>
void ElasticityOperator<Number>::set_solids(const std::vector<double> &lambda,
                                            const std::vector<double> &mu)
{
  require_full_integration(material_,
                           "A structure whose solids have Poisson's ratios of their own",
                           "one ratio for all");
  solid_lambda_ = Array<double>(backend_.memory(), lambda);
  solid_mu_     = Array<double>(backend_.memory(), mu);
  has_solids_   = true;
  element_operator_.reset(); // It is no longer needed.
  set_lame(solid_lambda_, solid_mu_);
}

template <typename Number>
void ElasticityOperator<Number>::set_solids(const AnisotropicSolids &solids)
{
  require_full_integration(material_,
                           "A structure with solids that are not isotropic",
                           "isotropic ones");
  if (element_operator_->set_solids(mesh_, solids))
    return;
  std::string names;
  for (const Strategy<Number> &strategy : backend_.strategies<Number>())
    if (strategy.any_solid)
      names += (names.empty() ? "" : ", ") + strategy.name;
  throw Error(
    "The operator '" + strategy_.name +
    "' computes the stiffness of isotropic solids, and there are others.\n  Those that store a matrix for each "
    "element know them: take one of " +
    names + ".");
}

template <typename Number>
void ElasticityOperator<Number>::set_tangents(const unsigned int n_points,
                                              const TangentFields &fields)
{
  require_full_integration(material_, "An operator with tangents", "Lame's parameters");
  if (tangents_ == nullptr)
    {
      auto made = strategy_.make(backend_, mesh_, material_);
      tangents_ = dynamic_cast<TangentElements<Number> *>(made.get());
      if (tangents_ == nullptr)
        throw Error("The operator '" + strategy_.name +
                    "' computes the stiffness of a material, and takes no tangents.\n  "
                    "'on_the_fly' does.");
      tangent_operator_ = std::move(made);
    }
  n_tangent_points_  = 0;
  has_lost_tangents_ = true; // This holds unless all of them arrive.
  tangents_->set_tangents(mesh_, n_points, fields);
  n_tangent_points_  = n_points;
  has_lost_tangents_ = false;
  has_lame_          = false;
}

template <typename Number>
void ElasticityOperator<Number>::lose_tangents()
{
  drop_tangents();
  has_lost_tangents_ = true;
}

template <typename Number>
void ElasticityOperator<Number>::drop_tangents()
{
  n_tangent_points_  = 0;
  has_lost_tangents_ = false;
  tangents_          = nullptr;
  tangent_operator_.reset();
}

template <typename Number>
void ElasticityOperator<Number>::tangents(const unsigned int point,
                                          const unsigned int component,
                                          Array<double> &values) const
{
  tangents_->mean_tangents(component, point, 1, values);
}

template <typename Number>
void ElasticityOperator<Number>::mean_tangents(const unsigned int component,
                                               Array<double> &values) const
{
  tangents_->mean_tangents(component, 0, n_tangent_points_, values);
}

template <typename Number>
void ElasticityOperator<Number>::set_stiffness(const Array<double> &factors)
{
  drop_tangents();
  if (has_solids_)
    {
      const auto &fields = backend_.vector_operations<double>();
      fields.multiply(lambda_.size(), solid_lambda_, factors, lambda_);
      fields.multiply(mu_.size(), solid_mu_, factors, mu_);
      return lame_operator_->set_lame(lambda_, mu_);
    }
  has_lame_ = false;
  if (element_operator_ == nullptr)
    element_operator_ = strategy_.make(backend_, mesh_, checked(material_));
  element_operator_->set_stiffness(factors);
}

template <typename Number>
bool ElasticityOperator<Number>::tells_factors() const
{
  return !has_solids_ && !has_lame_ && !has_tangents() && element_operator_ != nullptr &&
         element_operator_->tells_factors();
}

template <typename Number>
void ElasticityOperator<Number>::factors(Array<double> &factors) const
{
  element_operator_->factors(factors);
}

template <typename Number>
void ElasticityOperator<Number>::set_lame(const Array<double> &lambda, const Array<double> &mu)
{
  require_trilinear(material_,
                    "An operator with Lame's parameters per element",
                    "stiffness factors in their place");
  if (lame_operator_ == nullptr)
    {
      lame_operator_ = std::make_unique<LameOperator<Number>>(backend_,
                                                              mesh_,
                                                              strategy_,
                                                              material_.volumetric_integration);
      lambda_        = Array<double>(backend_.memory(), mesh_.n_elements);
      mu_            = Array<double>(backend_.memory(), mesh_.n_elements);
    }
  drop_tangents();
  lame_operator_->set_lame(lambda, mu);
  lambda_.copy_from(lambda);
  mu_.copy_from(mu);
  has_lame_ = true;
}

template <typename Number>
const ElementOperator<Number> &ElasticityOperator<Number>::element_operator() const
{
  if (has_lost_tangents_)
    throw Error(
      "The operator has lost its tangents: the last ones did not come as a whole, for the reason that was given "
      "then.\n  Set tangents again, or factors, or Lame's parameters.");
  if (has_tangents())
    return *tangent_operator_;
  if (has_lame_)
    return *lame_operator_;
  return *element_operator_;
}

template <typename Number>
void ElasticityOperator<Number>::set_shift(const std::vector<double> &values)
{
  has_shift_ = communicator_.any(!values.empty());
  shift_     = Array<Number>();
  mass_.reset();
  if (!has_shift_)
    return;
  std::vector<Number> all(n_local_, Number(0));
  std::transform(values.begin(), values.end(), all.begin(), [](const double value) {
    return static_cast<Number>(value);
  });
  shift_ = Array<Number>(backend_.memory(), all);
}

template <typename Number>
void ElasticityOperator<Number>::set_shift(const std::vector<double> &values,
                                           std::shared_ptr<const ConsistentMass<Number>> mass,
                                           const double factor)
{
  set_shift(values);
  mass_          = std::move(mass);
  mass_factor_   = static_cast<Number>(factor);
  mass_diagonal_ = Array<Number>(backend_.memory(), n_local_);
  mass_diagonal_.set_zero();
  backend_.vector_operations<Number>().axpy(n_local_,
                                            mass_factor_,
                                            mass_->diagonal(),
                                            mass_diagonal_);
}

template <typename Number>
void ElasticityOperator<Number>::apply_mass(const ConsistentMass<Number> &M,
                                            Array<Number> &x,
                                            Array<Number> &y)
{
  halo_->update_ghosts(x);
  dependent_->distribute(x);
  y.set_zero();
  M.add(Number(1), x, y);
  dependent_->condense(y);
  halo_->add_to_owners(y);
}

template <typename Number>
void ElasticityOperator<Number>::apply_mass_unconstrained(const ConsistentMass<Number> &M,
                                                          Array<Number> &x,
                                                          Array<Number> &y)
{
  halo_->update_ghosts(x);
  y.set_zero();
  M.add(Number(1), x, y);
  halo_->add_to_owners(y);
}

template <typename Number>
void ElasticityOperator<Number>::add_shift(const Array<Number> &x, Array<Number> &y) const
{
  if (mass_ != nullptr)
    mass_->add(mass_factor_, x, y);
  else if (has_shift_)
    backend_.multigrid_operations<Number>().add_springs(n_local_, shift_, x, y);
}

template <typename Number>
void ElasticityOperator<Number>::apply_diagonal(const Array<Number> &S,
                                                Array<Number> &x,
                                                Array<Number> &y)
{
  halo_->update_ghosts(x);
  dependent_->distribute(x);
  backend_.vector_operations<Number>().multiply(n_local_, S, x, y);
  dependent_->condense(y);
  halo_->add_to_owners(y);
}

template <typename Number>
void ElasticityOperator<Number>::apply(Array<Number> &x, Array<Number> &y)
{
  apply_unconstrained(x, y);
  zero_constrained(y);
}

template <typename Number>
bool ElasticityOperator<Number>::takes_float() const
{
  return !has_dependent_ && !has_shift_ && element_operator().takes_float();
}

template <typename Number>
void ElasticityOperator<Number>::apply_to_float(Array<float> &x, Array<Number> &y)
{
  if (halo_in_float_ == nullptr)
    halo_in_float_ =
      std::make_unique<HaloExchange<float>>(backend_, communicator_, mesh_.node_halo, 3);
  halo_in_float_->update_ghosts(x);
  element_operator().apply_to_float(x, y);
  halo_->add_to_owners(y);
  zero_constrained(y);
}

template <typename Number>
void ElasticityOperator<Number>::apply_unconstrained(Array<Number> &x, Array<Number> &y)
{
  halo_->update_ghosts(x);
  apply_local(x, y);
  halo_->add_to_owners(y);
}

template <typename Number>
void ElasticityOperator<Number>::apply_local(Array<Number> &x, Array<Number> &y)
{
  dependent_->distribute(x);
  element_operator().apply(x, y);
  add_shift(x, y);
  dependent_->condense(y);
}

template <typename Number>
bool ElasticityOperator<Number>::can_subtract() const
{
  return !has_dependent_ && !has_shift_ && element_operator().can_subtract();
}

template <typename Number>
void ElasticityOperator<Number>::subtract_local(const Array<Number> &x, Array<Number> &y) const
{
  element_operator().subtract(x, y);
}

template <typename Number>
void ElasticityOperator<Number>::lift(Array<Number> &g, Array<Number> &y)
{
  g.set_zero();
  dependent_->add_values(g);
  backend_.vector_operations<Number>().scatter(constrained_dofs_, constrained_values_, g);
  halo_->update_ghosts(g);
  element_operator().apply(g, y);
  add_shift(g, y);
  dependent_->condense(y);
  halo_->add_to_owners(y);
}

template <typename Number>
double ElasticityOperator<Number>::reaction_work(Array<Number> &u, Array<Number> &y)
{
  const auto &vectors = backend_.vector_operations<Number>();
  apply_unconstrained(u, y);
  dependent_->set(Number(0), y);
  const double all = vectors.dot(n_owned_, u, y);
  zero_constrained(y);
  return communicator_.sum(all - vectors.dot(n_owned_, u, y));
}

template <typename Number>
void ElasticityOperator<Number>::condense(Array<Number> &f)
{
  if (!has_dependent_)
    return;
  backend_.vector_operations<Number>().set(ghosts_, Number(0), f);
  dependent_->condense(f);
  halo_->add_to_owners(f);
  dependent_->set(Number(0), f);
}

template <typename Number>
void ElasticityOperator<Number>::distribute(Array<Number> &x)
{
  if (!has_dependent_)
    return;
  halo_->update_ghosts(x);
  dependent_->distribute(x);
}

template <typename Number>
void ElasticityOperator<Number>::diagonal(Array<Number> &d)
{
  element_operator().diagonal(d);
  if (has_shift_)
    backend_.vector_operations<Number>().axpy(n_local_,
                                              Number(1),
                                              mass_ != nullptr ? mass_diagonal_ : shift_,
                                              d);
  dependent_->condense_bound(d);
  halo_->add_to_owners(d);
  backend_.vector_operations<Number>().set(constrained_dofs_, Number(1), d);
  dependent_->set(Number(1), d);
}

template <typename Number>
void ElasticityOperator<Number>::local_diagonal_blocks(Array<Number> &blocks) const
{
  element_operator().diagonal_blocks(blocks);
  if (has_shift_)
    backend_.multigrid_operations<Number>().add_to_blocks(
      n_local_ / 3, mass_ != nullptr ? mass_diagonal_ : shift_, blocks);
  dependent_->condense_blocks(blocks);
}

template <typename Number>
void ElasticityOperator<Number>::energies(Array<Number> &u, Array<double> &c)
{
  halo_->update_ghosts(u);
  if (has_solids_)
    return lame_operator_->energies(u, solid_lambda_, solid_mu_, c);
  element_operator().energies(u, c);
}

template <typename Number>
void ElasticityOperator<Number>::zero_constrained(Array<Number> &x) const
{
  backend_.vector_operations<Number>().set(zero_dofs_, Number(0), x);
}

template <typename Number>
void ElasticityOperator<Number>::set_constrained(Array<Number> &x)
{
  if (has_dependent_)
    {
      halo_->update_ghosts(x);
      dependent_->distribute(x);
      dependent_->add_values(x);
    }
  backend_.vector_operations<Number>().scatter(constrained_dofs_, constrained_values_, x);
}

template const Strategy<double> &find_strategy<double>(const Backend &, const std::string &);
template const Strategy<float> &find_strategy<float>(const Backend &, const std::string &);
template class ElasticityOperator<double>;
template class ElasticityOperator<float>;
} // namespace strut
