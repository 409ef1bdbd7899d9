// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/stiffness_operator_implementation.h"

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>

#include "plugin/base/host_halo.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/finite_element.h"
#include "source/solvers/multigrid/smoother_bound.h"

namespace strut
{
namespace
{
ChosenBackend backend_for(const StiffnessOptions &options, const Communicator &communicator)
{
  ChosenBackend chosen = in_words_of_options([&]() {
    return choose_backend(options.backend,
                          options.n_threads,
                          communicator,
                          options.device,
                          Communication::automatic,
                          options.stream);
  });
  if (chosen.backend == nullptr)
    throw Error(
      "StiffnessOptions::backend is 'cuda', but there is no GPU to use: " + chosen.reason +
      ".\n  Set it to 'cpu' (or 'auto'), or run where a GPU and, in the build of strut, "
      "the CUDA toolkit are.");
  attempt_together(communicator, [&]() {
    if (options.stream != nullptr && chosen.backend->memory().is_host())
      throw Error(
        "StiffnessOptions::stream is a stream of CUDA, and here the CPU computes (" +
        (chosen.reason.empty() ? "backend is 'cpu'" : chosen.reason) +
        ").\n  Leave it null, or set backend to 'cuda' where a GPU and, in the build of strut, the CUDA toolkit "
        "are.");
  });
  return chosen;
}

/// Returns the constraint line of an owned DoF; there must be one.
const ConstraintLine &line_of(const ConstraintLines &lines,
                              const dealii::types::global_dof_index dof)
{
  return *std::lower_bound(lines.begin(), lines.end(), dof, [](const auto &line, const auto other) {
    return line.dof < other;
  });
}

/// The options with the strategy that `auto` stands for.
StiffnessOptions with_strategy(StiffnessOptions options)
{
  if (options.strategy == "auto")
    options.strategy = "on_the_fly";
  return options;
}

bool of_the_same_dofs(const ConstraintLine &one, const ConstraintLine &other)
{
  return one.dof == other.dof && one.masters == other.masters;
}
} // namespace

template <typename Number>
StiffnessOperator<Number>::Implementation::Implementation(
  const dealii::DoFHandler<3, 3> &the_dof_handler,
  const dealii::Mapping<3, 3> *const mapping,
  const ConstraintLines &lines,
  const Material &material,
  const StiffnessOptions &options,
  const double density,
  const MassKind mass)
  : dof_handler(&the_dof_handler)
  , mpi(compat::mpi_communicator(dof_handler->get_triangulation()))
  , communicator(mpi)
  , owned(dof_handler->locally_owned_dofs())
  , n_dofs(dof_handler->n_dofs())
  , chosen(backend_for(options, communicator))
  , guard_(*dof_handler)
  , options_(with_strategy(options))
  , material_(material)
  , mass_kind_(mass)
{
  attempt_or_abort(communicator, [&]() {
    ResolvedConstraints resolved = resolve_constraints(*dof_handler, lines, communicator);
    mesh_ = build_element_mesh(*dof_handler, mpi, resolved.nodes_apart, mapping);
    set_constraints(resolved, owned, communicator, mesh_);
    constraints_ = std::move(resolved.owned);
  });
  n_elements_ = communicator.sum(mesh_.n_elements);
  densities_.assign(mesh_.n_elements, density);
  if (!communicator.any(!owned.is_contiguous()))
    {
      partitioner = std::make_shared<dealii::Utilities::MPI::Partitioner>(
        owned, dealii::DoFTools::extract_locally_relevant_dofs(*dof_handler), mpi);
    }
  for (const auto &cell : dof_handler->get_triangulation().active_cell_iterators())
    if (cell->is_locally_owned())
      owned_cells.push_back(cell->active_cell_index());
  for (const ConstraintLine &line : constraints_)
    constrained_.push_back(static_cast<std::uint32_t>(owned.index_within_set(line.dof)));

  Backend &backend = *chosen.backend;
  const HostThreads threads(chosen);
  const auto set_up = [&]() {
    matrix_ = std::make_unique<ElasticityOperator<Number>>(
      backend, communicator, mesh_, material, options_.strategy);
    exchange = std::make_unique<VectorExchange<Number>>(backend, owned, mesh_, constrained_);
    x_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    y_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    factors_ = Array<double>(backend.memory(), std::vector<double>(mesh_.n_elements, 1.));
  };
  attempt_together(communicator, [&]() { in_words_of_options(set_up); });
}

template <typename Number>
StiffnessOperator<Number>::Implementation::InUse::InUse(std::atomic_flag &occupied)
  : occupied_(occupied)
{
  if (occupied_.test_and_set(std::memory_order_acquire))
    throw Error(
      "Two threads use one StiffnessOperator at the same time, or its preconditioner; they share work "
      "vectors.\n  Give each thread an operator of its own, or let one wait for the other.");
}

template <typename Number>
StiffnessOperator<Number>::Implementation::InUse::~InUse()
{
  occupied_.clear(std::memory_order_release);
}

template <typename Number>
std::vector<double>
StiffnessOperator<Number>::Implementation::of_elements(const std::vector<double> &of_cells) const
{
  std::vector<double> result(mesh_.n_elements);
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    result[e] = of_cells[mesh_.element_to_cell[e]];
  return result;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_factors(const std::vector<double> &factors)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  const std::vector<double> all = of_elements(factors);
  const LawInForce before       = std::exchange(in_force_, {});
  upload(*chosen.backend, all.data(), mesh_.n_elements, factors_, exchange->transfers.uploads);
  follow(before, [&] { matrix_->set(factors_); });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_lame(const std::vector<double> &lambda,
                                                         const std::vector<double> &mu)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  const std::vector<double> of_lambda = of_elements(lambda), of_mu = of_elements(mu);
  const auto none         = static_cast<std::size_t>(std::count(mu.begin(), mu.end(), 0.));
  const LawInForce before = in_force_;
  set_if_solvable(in_force_, LawInForce{Law::lame, communicator.sum(none)});
  largest_ratio_ = largest_lame_ratio(communicator, of_lambda, of_mu);
  Memory &memory = chosen.backend->memory();
  follow(before, [&] {
    const Array<double> lambda_of_elements(memory, of_lambda), mu_of_elements(memory, of_mu);
    matrix_->set(Stiffness::of_lame(lambda_of_elements, mu_of_elements));
  });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_prescribed(const ConstraintLines &lines)
{
  const InUse in_use(occupied_);
  ConstraintLines now = resolve_constraints(*dof_handler, lines, communicator).owned;
  const bool same =
    std::equal(now.begin(), now.end(), constraints_.begin(), constraints_.end(), of_the_same_dofs);
  if (communicator.any(!same))
    throw Error("The constraints hold other degrees of freedom than those that the "
                "StiffnessOperator was made with; only values may change.\n  Make another "
                "StiffnessOperator.");
  constraints_ = std::move(now);
  // does not change the values of ghosts
  const auto set_value = [&](const LocalIndex dof, double &value) {
    if (dof < mesh_.n_owned_dofs())
      value = line_of(constraints_, mesh_.dof_indices[dof]).value;
  };
  for (std::size_t k = 0; k < mesh_.constrained_dofs.size(); ++k)
    set_value(mesh_.constrained_dofs[k], mesh_.constrained_values[k]);
  for (std::size_t k = 0; k < mesh_.dependent.dofs.size(); ++k)
    set_value(mesh_.dependent.dofs[k], mesh_.dependent.values[k]);
  matrix_->set_prescribed(mesh_.constrained_values, mesh_.dependent.values);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::multiply(const Entries &dst,
                                                         const Entries &src,
                                                         const bool add)
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  require_two_vectors(dst, src, "a product with StiffnessOperator", "matrices");
  exchange->upload(src, x_);
  matrix_->zero_constrained(x_);
  matrix_->apply(x_, y_);
  if (add)
    exchange->add(Number(1), y_, dst);
  else
    exchange->download(y_, dst);
  exchange->copy_constrained(src, dst, add);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::precondition(const Entries &dst, const Entries &src)
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  require_two_vectors(dst, src, "a StiffnessOperator's preconditioner", "preconditioners");
  if (solver_ == nullptr)
    throw Error(
      "The preconditioner of the StiffnessOperator was lost when set_factors() failed.\n  Set other "
      "factors, and ask for preconditioner() again.");
  const HostThreads threads(chosen);
  exchange->upload(src, x_);
  matrix_->zero_constrained(x_);
  solver_->precondition(x_, y_);
  exchange->download(y_, dst);
  exchange->copy_constrained(src, dst, /*add*/ false);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::lift(const Entries &rhs)
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  if (matrix_->has_dependent())
    {
      exchange->upload(rhs, x_);
      matrix_->condense(x_);
      exchange->download(x_, rhs);
    }
  if (matrix_->has_prescribed_displacements())
    {
      matrix_->lift(x_, y_);
      exchange->add(Number(-1), y_, rhs);
    }
  exchange->zero_constrained(rhs);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::compute_diagonal()
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  find_diagonal();
}

/// Corrects the diagonal at masters of dependent DoFs, from the stiffness in force.
template <typename Number>
void StiffnessOperator<Number>::Implementation::add_stiffness_to_masters(
  std::vector<double> &diagonal)
{
  if (mesh_.dependent.empty())
    return;
  std::vector<std::uint8_t> is_dependent(mesh_.n_nodes, 0);
  for (const LocalIndex dof : mesh_.dependent.dofs)
    is_dependent[dof / 3] = 1;
  std::vector<std::uint32_t> elements; // elements with dependent DoFs, ascending
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    for (std::size_t a = 0; a < mesh_.type.n_nodes; ++a)
      if (is_dependent[mesh_.node(e, a)] != 0)
        {
          elements.push_back(static_cast<std::uint32_t>(e));
          break;
        }

  // Their numbers, `[n][n_points][n_components]`.
  const StiffnessLayout &layout = matrix_->layout();
  const Stiffness stiffness     = matrix_->stiffness(&factors_);
  const unsigned int n_numbers  = layout.n_points * layout.law.n_components;
  std::vector<double> numbers(elements.size() * n_numbers);
  Memory &memory = chosen.backend->memory();
  const Array<std::uint32_t> places(memory, elements);
  Array<double> of_all(memory, stiffness.is_stored() ? 0 : mesh_.n_elements),
    of_some(memory, elements.size());
  for (unsigned int number = 0; number < n_numbers; ++number)
    {
      const unsigned int q = number / layout.law.n_components, k = number % layout.law.n_components;
      chosen.backend->template vector_operations<double>().gather(places,
                                                                  stiffness.component(q, k, of_all),
                                                                  of_some);
      const std::vector<double> values = of_some.to_host();
      for (std::size_t i = 0; i < values.size(); ++i)
        numbers[n_numbers * i + number] = values[i];
    }
  const auto find = [&](const std::size_t e) {
    const auto place = std::lower_bound(elements.begin(), elements.end(), e) - elements.begin();
    return &numbers[n_numbers * static_cast<std::size_t>(place)];
  };

  if (n_numbers > 2) // Corrections for each of them would take too much memory.
    {
      for (const DependentDiagonal &addend : dependent_diagonals(mesh_, layout, material_, find))
        diagonal[addend.dof] += addend.value;
      return;
    }
  if (std::exchange(diagonals_law_, layout.law) != layout.law)
    diagonals_.clear();
  for (unsigned int k = 0; k < n_numbers; ++k)
    {
      std::vector<double> unit(n_numbers, 0.);
      unit[k] = 1.;
      if (diagonals_.size() == k)
        diagonals_.push_back(
          dependent_diagonals(mesh_, layout, material_, [&](std::size_t) { return unit.data(); }));
      for (const DependentDiagonal &addend : diagonals_[k])
        diagonal[addend.dof] += find(addend.element)[k] * addend.value;
    }
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::find_diagonal()
{
  matrix_->diagonal(y_);
  diagonal.resize(owned.n_elements());
  exchange->download(y_, diagonal.data());
  if (matrix_->has_dependent()) // masters of dependent DoFs have an upper bound at first
    {
      std::vector<double> more(mesh_.n_dofs(), 0.);
      add_stiffness_to_masters(more);
      if (matrix_->has_shift() && mass_kind_ == MassKind::lumped)
        add_shift_to_masters(more);
      else if (matrix_->has_shift())
        {
          if (mass_diagonals_.empty())
            mass_diagonals_ = dependent_mass_diagonals(mesh_);
          for (const DependentDiagonal &addend : mass_diagonals_)
            more[addend.dof] += shift_ * densities_[addend.element] * addend.value;
        }
      add_to_owners(mpi, mesh_, more);
      for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
        diagonal[exchange->positions()[i]] += static_cast<Number>(more[i]);
      for (const std::uint32_t i : constrained_)
        diagonal[i] = Number(1);
    }
  inverse_diagonal_there_ = DeviceVector<Number>();
  has_diagonal            = true;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::scale_by_inverse_diagonal_there(
  DeviceVector<Number> &dst, const DeviceVector<Number> &src, const Number omega)
{
  const InUse in_use(occupied_);
  require_diagonal("precondition_Jacobi()");
  if (inverse_diagonal_there_.size() == 0)
    {
      std::vector<Number> inverse;
      for (const Number entry : diagonal)
        inverse.push_back(Number(1) / entry);
      initialize(inverse_diagonal_there_);
      inverse_diagonal_there_.copy_from_host(inverse.data());
    }
  dst.equ(omega, src);
  dst.scale(inverse_diagonal_there_);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_diagonal(const char *const caller) const
{
  if (!has_diagonal)
    throw Error(std::string("StiffnessOperator::") + caller +
                " needs the diagonal.\n  Call compute_diagonal() before.");
}

template class StiffnessOperator<double>::Implementation;
template class StiffnessOperator<float>::Implementation;
} // namespace strut
