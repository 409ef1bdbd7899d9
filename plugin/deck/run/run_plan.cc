// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_plan.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>

#include <algorithm>

#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/problem/parted_by_void.h"
#include "plugin/deck/run/choose_preconditioner.h"
#include "source/mesh/bytes_of_mesh.h"
#include "source/solvers/state/vibration_modes.h"

namespace strut
{
namespace
{
/// The maximum over all ranks of each part. Collective.
MemoryPlan largest_parts(const MemoryPlan &plan, const Communicator &communicator)
{
  return {communicator.max(plan.operator_bytes),
          communicator.max(plan.vector_bytes),
          communicator.max(plan.preconditioner_bytes),
          communicator.max(plan.design_bytes)};
}
} // namespace

RunPlan::RunPlan(DeckParameters &parameters, const Communicator &communicator)
  : parameters_(parameters), communicator_(communicator)
{
  const std::string &wanted = parameters.solver.preconditioner;
  parameters.problem.setup(communicator.mpi(),
                           wanted == "auto" || find_preconditioner(wanted).needs_levels);
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
  const PreconditionerChoice chosen =
    choose_for_deck(wanted, parameters.compute.precision, communicator, parameters.structure());
  preconditioner_ = chosen.text;
  settings_       = parameters.solver.get(parameters.compute, chosen.name);
  if (const auto refused =
        find_conflict(settings_.preconditioner, {communicator, parameters.structure()}))
    throw EntryError(chosen.name == SolverParameters::beside
                       ? std::vector<std::string>{"Solver"}
                       : std::vector<std::string>{"Solver", subsection_of(chosen.name)},
                     refused->name,
                     refused->reason);
  check_solids();
  if (settings_.precision == Precision::fp32 &&
      parameters.optimization.n_modes(parameters.constraints) > 0)
    throw EntryError(
      {},
      "Precision",
      "A response asks for modes of vibration, which take displacements in double precision.\n'set Precision = mixed' "
      "computes preconditioners in single precision; or 'set Precision = double'.");
  check_modes();
}

void RunPlan::check_modes() const
{
  if (parameters_.optimization.n_modes(parameters_.constraints) == 0)
    return;
  const std::vector<std::uint8_t> mirrors = parameters_.problem.mirrors();
  if (communicator_.any(std::any_of(mirrors.begin(), mirrors.end(), [](const std::uint8_t planes) {
        return planes != 0;
      })))
    throw EntryError(
      {"Symmetry"},
      "Planes",
      "A response asks for modes of vibration, and with planes of symmetry those alone are found that are symmetric about "
      "them. Others, which sway out of a plane, may be far lower.\nMesh the whole without 'Planes'; the map 'mirror' keeps "
      "its design symmetric. Where symmetric modes alone count, hold the faces by supports in place of the planes: one "
      "with 'Components = y' for a plane 'y = ...'.");
}

void RunPlan::check_solids() const
{
  if (!has_anisotropic_solids(communicator_, parameters_.structure()))
    return;
  const std::vector<StrategyList<double>> lists = {cpu_strategies<double>(),
                                                   cuda_strategies<double>()};
  std::string names;
  bool is_known = false;
  for (const auto &list : lists)
    for (const Strategy<double> &strategy : list)
      if (strategy.any_solid)
        {
          is_known = is_known || strategy.name == settings_.strategy;
          if ((", " + names + ", ").find(", " + strategy.name + ", ") == std::string::npos)
            names += (names.empty() ? "" : ", ") + strategy.name;
        }
  if (!is_known)
    throw EntryError(
      {},
      "Operator",
      "The operator '" + settings_.strategy +
        "' computes the stiffness of isotropic solids, and 'Materials' has another.\nThose that store a matrix for "
        "each element know it. Take one of " +
        names + ", which this build has.");
  const std::string rest =
    " takes stresses of isotropic solids, and 'Materials' has another.\nTake another one.";
  if (parameters_.method_entry().uses_nodal_stresses)
    throw EntryError({"Optimization"},
                     "Method",
                     "The method '" + parameters_.optimization.method + "'" + rest);
  if (!parameters_.method_entry().solves_any_problem)
    return;
  if (find_response(parameters_.optimization.objective).takes_stresses)
    throw EntryError({"Optimization"},
                     "Minimise",
                     "The response '" + parameters_.optimization.objective + "'" + rest);
  for (const auto &constraint : parameters_.constraints)
    if (find_response(constraint->response).takes_stresses)
      throw EntryError(constraint->path(),
                       "Response",
                       "The response '" + constraint->response + "'" + rest);
}

bool RunPlan::prescribes_displacements() const
{
  const std::vector<double> &values = parameters_.problem.mesh().constrained_values;
  return communicator_.any(
    std::any_of(values.begin(), values.end(), [](const double v) { return v != 0.; }));
}

double RunPlan::n_vectors_of_checkpoint() const
{
  const OptimizationParameters &optimization = parameters_.optimization;
  const std::size_t n_cases                  = parameters_.problem.load_cases().size();
  const std::size_t n_before   = settings_.initial_guess == InitialGuess::extrapolated ? 2 : 1;
  const std::size_t n_adjoints = settings_.initial_guess == InitialGuess::zero
                                   ? 0
                                   : optimization.n_adjoints(parameters_.constraints, n_cases);
  const std::size_t n_modes    = optimization.n_modes(parameters_.constraints);
  const std::size_t n_kept =
    n_modes == 0 || parameters_.compute.deterministic ? 0 : VibrationModes::n_of_block(n_modes);
  // The displacements before the last ones are in single precision for the first field.
  const double saved = n_before == 2 ? 0.5 * static_cast<double>(n_cases) : 0.;
  return static_cast<double>(n_cases * optimization.n_displacement_sets() * n_before + n_adjoints +
                             n_kept) -
         saved;
}

double RunPlan::n_fields_of_checkpoint() const
{
  const OptimizationParameters &optimization = parameters_.optimization;
  return 1. + static_cast<double>(find_design_update(optimization.get().update).n_fields) +
         static_cast<double>(parameters_.problem.load_cases().size() *
                             find_response(optimization.objective).fields_in_state);
}

std::unique_ptr<MemoryPlan> RunPlan::plan(const StrategyLists &strategies,
                                          const bool on_device) const
{
  const OptimizationParameters &optimization = parameters_.optimization;
  const std::size_t n_load_cases             = parameters_.problem.load_cases().size();
  // Seen from the operator: one rank with prescribed displacements or dependent DoFs suffices.
  const bool lifted        = prescribes_displacements();
  const bool has_dependent = communicator_.any(!parameters_.problem.mesh().dependent.empty());
  const auto is_missing_in = [&](const auto &list) {
    return std::none_of(list.begin(), list.end(), [&](const auto &entry) {
      return entry.name == settings_.strategy;
    });
  };
  if (settings_.precision == Precision::fp32 ? is_missing_in(strategies.in_float)
                                             : is_missing_in(strategies.in_double))
    return nullptr;
  auto plan           = std::make_unique<MemoryPlan>();
  const MeshSize size = size_of(communicator_, parameters_.structure(), on_device);
  plan_state_solver(*plan,
                    settings_,
                    strategies,
                    size,
                    planned_loads(has_dependent, parameters_.problem.load_cases()),
                    lifted,
                    optimization.n_adjoints(parameters_.constraints, n_load_cases),
                    optimization.n_modes(parameters_.constraints),
                    optimization.n_displacement_sets(),
                    parameters_.problem.has_materials());
  std::optional<double> &of_maps = map_bytes_[on_device ? 1 : 0];
  if (!of_maps)
    of_maps =
      optimization.map_memory_estimate(communicator_, parameters_.problem.mesh(), on_device);
  plan->design_bytes =
    parameters_.method_entry().memory_estimate(size, optimization.filter_radius) + *of_maps +
    optimization.update_memory_estimate(parameters_.constraints,
                                        n_load_cases,
                                        parameters_.problem.mesh());
  if (parameters_.problem.has_materials()) // the mass, for modes of vibration
    plan->design_bytes += sizeof(double) * static_cast<double>(size.n_elements);
  return plan;
}

double RunPlan::host_bytes() const
{
  const OutputParameters &output = parameters_.output;
  const Structure structure      = parameters_.structure();
  const auto elements            = static_cast<double>(structure.mesh.n_elements);
  const auto nodes               = static_cast<double>(structure.mesh.n_nodes);
  const auto n_cases             = static_cast<double>(parameters_.problem.load_cases().size());
  std::size_t of_meshes          = bytes_of(structure.mesh);
  for (const CoarseLevel &level : structure.coarser)
    of_meshes += bytes_of(level.mesh) + bytes_of(level.transfer);

  // Forces while they are collected, and tables of the operator and the filter. Later, the
  // displacements and the stiffness of the last design while it is measured.
  const double of_one_case = 24. * nodes + 8. * elements;

  // The last result: densities, their means at nodes, and displacements. On one rank, the means
  // include the sums of a few threads. Displacements are in float unless stresses are computed from
  // them.
  const bool has_displacements = output.fields != "density";
  double of_densities          = 8. * elements;
  if (output.fields == "all")
    of_densities += (communicator_.size() > 1 ? 20. : 8.) * nodes;
  if (parameters_.optimization.robust_fields().enabled())
    of_densities += 16. * elements;
  const double of_result = of_densities + (output.von_mises ? 24. * nodes * n_cases + 8. * elements
                                           : has_displacements ? 12. * nodes * n_cases
                                                               : 0.);

  // The last checkpoint: the state of the method, which is made completely, before the
  // displacements of a load case.
  const double n_of_first_set =
    n_cases * (settings_.initial_guess == InitialGuess::extrapolated ? 1.5 : 1.);
  const double of_state = 8. * elements * n_fields_of_checkpoint();
  const double of_checkpoint =
    of_state + 24. * nodes * (n_vectors_of_checkpoint() - n_of_first_set);

  // Before the end of the run, results and checkpoints are written from copies.
  const auto is_due = [&](const std::size_t every) {
    return every > 0 && every < parameters_.optimization.get().stopping.max_iterations;
  };
  double of_copies = 0.;
  if (is_due(output.checkpoint_every))
    of_copies = of_densities + of_state + 24. * nodes * n_vectors_of_checkpoint();
  else if (is_due(output.results_every))
    of_copies = of_densities + (has_displacements ? 24. * nodes * n_cases : 0.);
  // The driver and the threads, measured on one H200 with 16 cores.
  return communicator_.max(8e8 + static_cast<double>(of_meshes) +
                           std::max({of_one_case, of_result, of_checkpoint, of_copies}));
}

std::vector<MemoryEstimate> RunPlan::memory() const
{
  const ElementMesh &mesh = parameters_.problem.mesh();
  const double on_host    = host_bytes();
  std::vector<MemoryEstimate> estimates;
  const auto add =
    [&](const std::string &backend, const bool on_device, const StrategyLists &strategies) {
      const auto found      = plan(strategies, on_device);
      const MemoryPlan here = found == nullptr ? MemoryPlan() : *found;
      const double total    = communicator_.max(here.total());
      estimates.push_back({backend,
                           on_device,
                           {},
                           largest_parts(here, communicator_),
                           communicator_.max(static_cast<double>(mesh.n_elements)),
                           on_device ? on_host : 0.});
      if (found != nullptr)
        estimates.back().bytes = total;
    };
  add("cpu", false, {cpu_strategies<double>(), cpu_strategies<float>()});
  if (cuda_compiled())
    add("cuda", true, {cuda_strategies<double>(), cuda_strategies<float>()});
  return estimates;
}

DiskEstimate RunPlan::disk() const
{
  const ElementMesh &mesh             = parameters_.problem.mesh();
  const OptimizationSettings settings = parameters_.optimization.get();
  const auto n_elements               = static_cast<double>(communicator_.sum(mesh.n_elements));
  const auto n_nodes                  = static_cast<double>(communicator_.sum(mesh.n_owned_nodes));
  const auto n_cases  = static_cast<double>(parameters_.problem.load_cases().size());
  const std::size_t n = settings.stopping.max_iterations;
  const auto n_files  = [&](const std::size_t every) { // one at the end in any case
    return every == 0 ? 1 : (n + every - 1) / every;
  };
  // A robust design has two more fields of floats in results, and displacements of each field in
  // checkpoints.
  const bool is_robust = parameters_.optimization.robust_fields().enabled();
  // measured, compressed
  const double of_stresses = parameters_.output.von_mises ? 4 * n_elements * n_cases : 0.;
  const double of_all = (is_robust ? 22 : 14) * n_elements + 12 * n_nodes * n_cases + of_stresses;
  // Typical for designs with a few members. In a thin mesh, most elements are at the surface.
  const double share_of_surface = n_nodes > 1.5 * n_elements ? 1. : 0.2;
  const double result_bytes     = parameters_.output.fields == "density"
                                    ? (is_robust ? 24 : 16) * n_elements
                                  : parameters_.output.fields == "surface" ? share_of_surface * of_all
                                                                           : of_all;
  return {n_files(parameters_.output.results_every),
          n_files(parameters_.output.checkpoint_every),
          result_bytes,
          8 * n_elements * n_fields_of_checkpoint() + 24 * n_nodes * n_vectors_of_checkpoint()};
}

std::string RunPlan::check_method() const
{
  const Problem &problem                     = parameters_.problem;
  const OptimizationParameters &optimization = parameters_.optimization;
  const auto backend                         = make_cpu_backend(1);
  DesignCheck design{
    *backend, communicator_, problem.mesh(), {}, optimization.get(), problem.mirrors()};
  for (const LoadCase &load_case : problem.load_cases())
    design.load_cases.push_back(&load_case);
  optimization.check_maps(*backend, communicator_, problem.mesh());
  optimization.check_method(design);
  if (problem.material().has_incompatible_modes() && parameters_.method_entry().uses_nodal_stresses)
    throw EntryError(
      {"Material"},
      "Element",
      "The method '" + optimization.method +
        "' takes stresses at the nodes of trilinear elements.\nLeave this entry out, or take another "
        "method.");
  std::string regions;
  if (parameters_.method_entry().solves_any_problem)
    {
      std::vector<std::string> names;
      for (const LoadCase &load_case : problem.load_cases())
        names.push_back(load_case.name);
      optimization.make_problem(
        parameters_.constraints, *backend, problem, communicator_.mpi(), names, &regions);
    }
  if (optimization.excludes_void() &&
      !notes_on_parted_loads(problem.mesh(), problem.load_cases(), communicator_.mpi()).empty())
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
  const auto found =
    plan({backend.strategies<double>(), backend.strategies<float>()}, !backend.memory().is_host());
  // Throws, with the list of operators.
  if (found == nullptr && settings_.precision == Precision::fp32)
    find_strategy<float>(backend, settings_.strategy);
  else if (found == nullptr)
    find_strategy<double>(backend, settings_.strategy);

  // All ranks that share a memory see the same free bytes; each may use its share.
  const double available = parameters_.compute.memory_limit > 0.
                             ? parameters_.compute.memory_limit * 1e6
                             : static_cast<double>(backend.memory().available()) / chosen.n_sharing;
  if (!communicator_.any(found->total() > available))
    return;
  require_memory(largest_parts(*found, communicator_),
                 communicator_.min(available),
                 backend.name(),
                 settings_.strategy);
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
