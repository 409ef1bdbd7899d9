// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/multigrid_operations.h"
#include "source/base/registry.h"
#include "source/base/text.h"
#include "source/element/full_integration.h"
#include "source/solvers/consistent_mass.h"
#include "source/solvers/constraints/dependent_dofs.h"
#include "source/solvers/two_pass_operator.h"
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

/// Returns the names of the backend's strategies that fit, for messages.
template <typename Number, typename Fits>
std::string names_of(const Backend &backend, const Fits &fits)
{
  std::string names;
  for (const Strategy<Number> &strategy : backend.strategies<Number>())
    if (fits(strategy))
      add_to_list(names, strategy.name);
  return names;
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
                                               const Law &first)
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
  , halo_(std::make_unique<HaloExchange<Number>>(
      backend, communicator, mesh.node_halo, mesh.n_components))
  , constrained_dofs_(backend.memory(), mesh.constrained_dofs)
  , zero_dofs_(backend.memory(), without_values(mesh))
  , constrained_values_(backend.memory(),
                        std::vector<Number>(mesh.constrained_values.begin(),
                                            mesh.constrained_values.end()))
  , dependent_(std::make_unique<DependentDofs<Number>>(backend, mesh))
{
  require_type();
  require_components(first);
  of_elements_ = &provide_element_operator(first);
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
void ElasticityOperator<Number>::set(const Stiffness &stiffness)
{
  const Stiffness given = stiffness.known(material_, backend_.memory(), mesh_.n_elements);
  require_components(given.law());
  require_law(given.law());
  if (given.solids() != nullptr && given.factors() == nullptr)
    throw Error("Solids of a table need factors: Stiffness::times().");
  if (!given.law().answers().have_points && given.layout().n_points != 1)
    throw Error(std::string("Elements have one point with numbers of ") + given.law().name +
                ", and " + std::to_string(given.layout().n_points) +
                " are given.\n  Tangents have numbers of each point.");
  ElementOperator<Number> &elements = provide_element_operator(given.law());
  is_lost_                          = true; // This holds unless the operator gets all of it.
  layout_                           = {};
  elements.set(mesh_, copied(given));
  of_elements_ = &elements;
  if (given.solids() == nullptr)
    layout_ = given.layout();
  is_lost_ = false;
}

template <typename Number>
void ElasticityOperator<Number>::require_type() const
{
  if (mesh_.type == ElementType())
    return;
  require_full_integration(material_,
                           std::string("An operator for elements of type ") + mesh_.type.name,
                           "a mesh of hexahedra with eight nodes");
  if (strategy_.takes_types)
    return;
  const auto fits = [](const Strategy<Number> &strategy) { return strategy.takes_types; };
  throw Error("The operator '" + strategy_.name + "' takes elements of type " + ElementType().name +
              ", and those of the mesh are " + mesh_.type.name +
              ".\n  Take one for elements of any type: " + names_of<Number>(backend_, fits) + ".");
}

template <typename Number>
void ElasticityOperator<Number>::require_components(const Law &law) const
{
  if (mesh_.n_components == 3)
    return;
  const std::string mesh = "the mesh has " + std::to_string(mesh_.n_components) +
                           " component per node (ElementMesh::n_components)";
  if (!law.answers().are_scalar)
    throw Error(std::string("A scalar equation takes no ") + law.name + ", and " + mesh +
                ".\n  Give stiffness factors.");
  if (strategy_.takes_scalars)
    return;
  const auto fits = [](const Strategy<Number> &strategy) { return strategy.takes_scalars; };
  throw Error("The operator '" + strategy_.name + "' takes displacements, and " + mesh +
              ".\n  Take one for scalars: " + names_of<Number>(backend_, fits) + ".");
}

template <typename Number>
ElementOperator<Number> &ElasticityOperator<Number>::provide_element_operator(const Law &law)
{
  for (auto made = made_.begin(); made != made_.end();)
    if (made->law != law && made->law.answers().have_large_data)
      {
        if (made->elements.get() == of_elements_)
          lose();
        made = made_.erase(made);
      }
    else
      ++made;
  for (const OfLaw &made : made_)
    if (made.law == law)
      return *made.elements;
  made_.push_back({law, make_element_operator(backend_, mesh_, strategy_, material_, law)});
  return *made_.back().elements;
}

template <typename Number>
Stiffness ElasticityOperator<Number>::copied(const Stiffness &stiffness)
{
  const Law &law                     = stiffness.law();
  const Law::Answers &answers        = law.answers();
  const Array<double> *const factors = stiffness.factors();
  solids_.reset();
  if (answers.have_points || (answers.are_factors && stiffness.is_stored()))
    {
      numbers_.clear();
      return stiffness;
    }
  numbers_.resize(std::min<std::size_t>(numbers_.size(), law.n_components));
  while (numbers_.size() < law.n_components)
    numbers_.emplace_back(backend_.memory(), mesh_.n_elements);
  for (unsigned int k = 0; k < law.n_components; ++k)
    {
      const Array<double> &values = stiffness.component(0, k, numbers_[k]);
      if (factors != nullptr)
        backend_.vector_operations<double>().multiply(values.size(), values, *factors, numbers_[k]);
      else if (&values != &numbers_[k])
        numbers_[k].copy_from(values);
    }
  const Stiffness own = Stiffness::of_arrays(law, numbers_);
  if (!answers.are_factors)
    solids_ = factors == nullptr ? own : stiffness;
  return own;
}

template <typename Number>
void ElasticityOperator<Number>::require_law(const Law &law) const
{
  if (!law.answers().formulations[static_cast<int>(material_.formulation)])
    require_full_integration(material_,
                             std::string("An operator with ") + law.name,
                             law.answers().instead);
  if (strategy_.takes(law, mesh_.type) || strategy_.takes_two_passes(law))
    return;
  const auto fits = [&](const Strategy<Number> &strategy) {
    return strategy.takes(law, mesh_.type);
  };
  throw Error("The operator '" + strategy_.name + "' takes no " + law.name +
              ".\n  Take one that does: " + names_of<Number>(backend_, fits) + ".");
}

template <typename Number>
void ElasticityOperator<Number>::lose()
{
  of_elements_ = nullptr;
  layout_      = {};
  is_lost_     = true;
}

template <typename Number>
Stiffness ElasticityOperator<Number>::stiffness(const Array<double> *const factors) const
{
  if (!numbers_.empty())
    return Stiffness::of_arrays(layout_.law, numbers_);
  if (!layout_.law.answers().have_points)
    return *factors;
  return Stiffness::of_fields(layout_,
                              [this](unsigned int point, unsigned int k, Array<double> &values) {
                                of_elements_->mean_component(k, point, 1, values);
                              });
}

template <typename Number>
Stiffness ElasticityOperator<Number>::means(const Array<double> *const factors) const
{
  if (layout_.n_points == 1)
    return stiffness(factors);
  return Stiffness::of_fields({layout_.law},
                              [this](unsigned int, const unsigned int k, Array<double> &values) {
                                of_elements_->mean_component(k, 0, layout_.n_points, values);
                              });
}

template <typename Number>
bool ElasticityOperator<Number>::tells_factors() const
{
  return strategy_.tells_factors && law().answers().are_factors && of_elements_ != nullptr;
}

template <typename Number>
void ElasticityOperator<Number>::factors(Array<double> &factors) const
{
  of_elements_->factors(factors);
}

template <typename Number>
const ElementOperator<Number> &ElasticityOperator<Number>::element_operator() const
{
  if (is_lost_)
    throw Error(
      "The operator has lost its stiffness: the last one did not come as a whole, for the reason that was given "
      "then.\n  Set tangents again, or factors, or Lame's parameters.");
  return *of_elements_;
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
bool ElasticityOperator<Number>::computes_alone() const
{
  return !has_dependent_ && !has_shift_ && !strategy_.takes_two_passes(law());
}

template <typename Number>
bool ElasticityOperator<Number>::takes_float() const
{
  return strategy_.takes_float && computes_alone();
}

template <typename Number>
void ElasticityOperator<Number>::apply_to_float(Array<float> &x, Array<Number> &y)
{
  if (halo_in_float_ == nullptr)
    halo_in_float_ = std::make_unique<HaloExchange<float>>(backend_,
                                                           communicator_,
                                                           mesh_.node_halo,
                                                           mesh_.n_components);
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
void ElasticityOperator<Number>::nodal_forces(Array<Number> &x, Array<Number> &y)
{
  halo_->update_ghosts(x);
  element_operator().apply(x, y);
  add_shift(x, y);
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
  return strategy_.subtracts && computes_alone();
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
    backend_.multigrid_operations<Number>(mesh_.n_components)
      .add_to_blocks(mesh_.n_nodes, mass_ != nullptr ? mass_diagonal_ : shift_, blocks);
  dependent_->condense_blocks(blocks);
}

template <typename Number>
void ElasticityOperator<Number>::energies(Array<Number> &u, Array<double> &c)
{
  halo_->update_ghosts(u);
  if (solids_)
    return element_operator().energies_of(*solids_, u, c);
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
