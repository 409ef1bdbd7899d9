// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_plan.h"
#include "source/base/text.h"
#include "source/mesh/prescribed_displacements.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/problem/parted_by_void.h"
#include "plugin/deck/run/choose_preconditioner.h"
#include "plugin/deck/run/run_remarks.h"

namespace strut
{
namespace
{
/// Returns the names of the operators of this build that fit.
template <typename Fits>
std::vector<std::string> operators_that(const Fits &fits)
{
  std::vector<std::string> names;
  for (const auto *strategies : {&cpu_strategies<double>(), &cuda_strategies<double>()})
    for (const Strategy<double> &strategy : *strategies)
      if (fits(strategy) && std::find(names.begin(), names.end(), strategy.name) == names.end())
        names.push_back(strategy.name);
  return names;
}

/// Throws EntryError for entries that know hexahedra with eight nodes alone, if the mesh has other
/// elements.
void check_element_type(const DeckParameters &parameters, const StateSettings &settings)
{
  const ElementType &type = parameters.problem.mesh().type;
  if (type == ElementType())
    return;
  const std::string are = "the elements of the mesh are of type " + std::string(type.name);
  const auto names      = operators_that([](const auto &strategy) { return strategy.takes_types; });
  if (std::find(names.begin(), names.end(), settings.strategy) == names.end())
    throw EntryError({},
                     "Operator",
                     "This operator takes elements of type " + std::string(ElementType().name) +
                       ", and " + are + ".\nTake one for elements of any type: " + join(names) +
                       ".");
  if (const Formulation formulation = parameters.problem.material().formulation;
      formulation != Formulation::full_integration)
    throw EntryError(
      {"Material"},
      entry_of(formulation).first,
      "It is of hexahedra with eight nodes, and " + are +
        ".\nLeave it out. Quadratic elements do without; linear tetrahedra are too stiff in "
        "bending in any case.");
}
} // namespace

RunPlan::RunPlan(const DeckParameters &parameters, const Communicator &communicator)
  : parameters(parameters), communicator(communicator)
{
  try
    {
      for (const LoadCase &load_case : parameters.problem.load_cases())
        check_load_case(parameters.method_entry(), load_case);
    }
  catch (const Error &error)
    {
      throw EntryError({"Optimization"}, "Method", error.reason);
    }
  parameters.optimization.check_fields(parameters.problem.load_cases(), prescribes_displacements());
  if (parameters.optimization.uses_filter_radius())
    check_filter_radius(parameters.optimization.filter_radius, parameters.problem.summary());
  const PreconditionerChoice chosen = choose_for_deck(parameters.solver.preconditioner,
                                                      parameters.compute.precision,
                                                      communicator,
                                                      parameters.structure());
  preconditioner                    = chosen.text;
  settings                          = parameters.solver.get(parameters.compute, chosen.name);
  if (const auto refused =
        find_conflict(settings.preconditioner, {communicator, parameters.structure()}))
    throw EntryError(chosen.name == SolverParameters::beside
                       ? std::vector<std::string>{"Solver"}
                       : std::vector<std::string>{"Solver", subsection_of(chosen.name)},
                     refused->name,
                     refused->reason);
  check_element_type(parameters, settings);
  if (parameters.problem.has_couplings() && parameters.optimization.has_map("helmholtz"))
    throw EntryError({"Optimization"},
                     "Filter",
                     "The map 'helmholtz' goes over nodes, and would take nodes of a region of "
                     "'Couplings' for hanging ones.\nTake 'density', which goes by distance.");
  check_solids();
  check_modes();
}

void RunPlan::check_modes() const
{
  if (parameters.optimization.n_modes(parameters.constraints) == 0)
    return;
  if (settings.precision == Precision::fp32)
    throw EntryError(
      {},
      "Precision",
      "A response asks for modes of vibration, which take displacements in double precision.\n'set Precision = mixed' "
      "computes preconditioners in single precision; or 'set Precision = double'.");
}

void RunPlan::check_solids() const
{
  const Law law = law_of_solids(communicator, parameters.structure());
  if (law.known().isotropic_solid != nullptr)
    return;
  const auto names = operators_that([&](const auto &strategy) {
    return strategy.takes(law.known(), parameters.problem.mesh().type);
  });
  if (std::find(names.begin(), names.end(), settings.strategy) == names.end())
    throw EntryError(
      {},
      "Operator",
      "The operator '" + settings.strategy +
        "' computes the stiffness of isotropic solids, and 'Materials' has another.\nThose that store a matrix for "
        "each element know it. Take one of " +
        join(names) + ", which this build has.");
  const std::string rest =
    " takes stresses of isotropic solids, and 'Materials' has another.\nTake another one.";
  if (parameters.method_entry().uses_nodal_stresses)
    throw EntryError({"Optimization"},
                     "Method",
                     "The method '" + parameters.optimization.method + "'" + rest);
  if (!parameters.method_entry().solves_any_problem)
    return;
  if (find_response(parameters.optimization.objective).takes_stresses)
    throw EntryError({"Optimization"},
                     "Minimise",
                     "The response '" + parameters.optimization.objective + "'" + rest);
  for (const auto &constraint : parameters.constraints)
    if (find_response(constraint->response).takes_stresses)
      throw EntryError(constraint->path(),
                       "Response",
                       "The response '" + constraint->response + "'" + rest);
}

bool RunPlan::prescribes_displacements() const
{
  return communicator.any(strut::prescribes_displacements(parameters.problem.mesh()));
}

std::unique_ptr<MemoryPlan> RunPlan::memory_plan(const StrategyLists &strategies,
                                                 const bool on_device) const
{
  const OptimizationParameters &optimization = parameters.optimization;
  const std::size_t n_load_cases             = parameters.problem.load_cases().size();
  // Seen from the operator: one rank with prescribed displacements or dependent DoFs suffices.
  const bool lifted        = prescribes_displacements();
  const bool has_dependent = communicator.any(!parameters.problem.mesh().dependent.empty());
  const auto is_missing_in = [&](const auto &list) {
    return std::none_of(list.begin(), list.end(), [&](const auto &entry) {
      return entry.name == settings.strategy;
    });
  };
  if (settings.precision == Precision::fp32 ? is_missing_in(strategies.in_float)
                                            : is_missing_in(strategies.in_double))
    return nullptr;
  auto plan           = std::make_unique<MemoryPlan>();
  const MeshSize size = size_of(communicator, parameters.structure(), on_device);
  plan_state_solver(*plan,
                    settings,
                    strategies,
                    size,
                    planned_loads(has_dependent, parameters.problem.load_cases()),
                    lifted,
                    optimization.n_adjoints(parameters.constraints, n_load_cases),
                    optimization.n_modes(parameters.constraints),
                    optimization.n_displacement_sets(),
                    parameters.problem.has_materials(),
                    parameters.problem.supports_of_modes().size(),
                    !parameters.problem.masses().empty());
  std::optional<double> &of_maps = map_bytes_[on_device ? 1 : 0];
  if (!of_maps)
    of_maps = optimization.map_memory_estimate(communicator, parameters.problem.mesh(), on_device);
  plan->design_bytes = parameters.method_entry().memory_estimate(size, optimization.filter_radius) +
                       *of_maps +
                       optimization.update_memory_estimate(parameters.constraints,
                                                           n_load_cases,
                                                           parameters.problem.mesh());
  if (parameters.problem.has_materials()) // the mass, for modes of vibration
    plan->design_bytes += sizeof(double) * static_cast<double>(size.n_elements);
  if (optimization.excludes_void()) // twice the connectivity, beside that of hexahedra
    plan->design_bytes += 2. * sizeof(LocalIndex) * static_cast<double>(size.n_elements) *
                          (parameters.problem.mesh().type.n_nodes - 8.);
  return plan;
}

std::string RunPlan::check_method() const
{
  const Problem &problem                     = parameters.problem;
  const OptimizationParameters &optimization = parameters.optimization;
  const auto backend                         = make_cpu_backend(1);
  DesignCheck design{
    *backend, communicator, problem.mesh(), {}, optimization.get(), problem.mirrors()};
  for (const LoadCase &load_case : problem.load_cases())
    design.load_cases.push_back(&load_case);
  optimization.check_maps(*backend, communicator, problem.mesh());
  optimization.check_method(design);
  if (problem.material().formulation == Formulation::incompatible_modes &&
      parameters.method_entry().uses_nodal_stresses)
    throw EntryError(
      {"Material"},
      "Element",
      "The method '" + optimization.method +
        "' takes stresses at the nodes of trilinear elements.\nLeave this entry out, or take another "
        "method.");
  std::string regions;
  if (parameters.method_entry().solves_any_problem)
    {
      std::vector<std::string> names;
      for (const LoadCase &load_case : problem.load_cases())
        names.push_back(load_case.name);
      optimization.make_problem(
        parameters.constraints, *backend, problem, communicator.mpi(), names, &regions);
    }
  if (optimization.excludes_void() &&
      !notes_on_parted_loads(problem.mesh(), problem.load_cases(), communicator.mpi()).empty())
    throw EntryError(
      {"Optimization"},
      "Method",
      "The method '" + optimization.method +
        "' leaves the void out of the system, and void regions part a load from what is held: see the "
        "NOTE above.\nLeave a way of elements that share faces, or keep the void in the system.");
  return regions;
}

void RunPlan::check_memory(const ChosenBackend &chosen) const
{
  Backend &backend = *chosen.backend;
  const auto found = memory_plan({backend.strategies<double>(), backend.strategies<float>()},
                                 !backend.memory().is_host());
  // Throws, with the list of operators.
  if (found == nullptr && settings.precision == Precision::fp32)
    find_strategy<float>(backend, settings.strategy);
  else if (found == nullptr)
    find_strategy<double>(backend, settings.strategy);

  // All ranks that share a memory see the same free bytes; each may use its share.
  const double available = parameters.compute.memory_limit > 0.
                             ? parameters.compute.memory_limit * 1e6
                             : static_cast<double>(backend.memory().available()) / chosen.n_sharing;
  if (!communicator.any(found->total() > available))
    return;
  require_memory(largest_parts(*found, communicator),
                 communicator.min(available),
                 backend.name(),
                 settings.strategy);
}

MemoryPlan largest_parts(const MemoryPlan &plan, const Communicator &communicator)
{
  return {communicator.max(plan.operator_bytes),
          communicator.max(plan.vector_bytes),
          communicator.max(plan.preconditioner_bytes),
          communicator.max(plan.design_bytes)};
}

void require_memory(const MemoryPlan &plan,
                    const double available,
                    const std::string &backend,
                    const std::string &strategy)
{
  if (plan.total() <= available)
    return;
  throw OutOfMemory(
    "Not enough memory on the backend '" + backend + "': about " + format_bytes(plan.total()) +
    " needed (operator '" + strategy + "' " + format_bytes(plan.operator_bytes) + ", vectors " +
    format_bytes(plan.vector_bytes) +
    (plan.preconditioner_bytes > 0. ? ", preconditioner " + format_bytes(plan.preconditioner_bytes)
                                    : "") +
    ", design " + format_bytes(plan.design_bytes) + "), " + format_bytes(available) + " free.");
}
} // namespace strut
