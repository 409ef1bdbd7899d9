// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <deal.II/grid/grid_generator.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/deck/run/run_facts.h"
#include "source/element/elements.h"
#include "source/mesh/bytes_of_mesh.h"
#include "source/solvers/state/vibration_modes.h"

namespace strut
{
namespace
{
/// Number of vectors of `[3 * n_nodes]`: displacements of each load case and set, those before
/// them, and adjoints.
double n_vectors_of_checkpoint(const RunPlan &plan)
{
  const DeckParameters &parameters           = plan.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  const std::size_t n_cases                  = parameters.problem.load_cases().size();
  const std::size_t n_before   = plan.settings.initial_guess == InitialGuess::extrapolated ? 2 : 1;
  const std::size_t n_adjoints = plan.settings.initial_guess == InitialGuess::zero
                                   ? 0
                                   : optimization.n_adjoints(parameters.constraints, n_cases);
  const std::size_t n_modes    = optimization.n_modes(parameters.constraints);
  const std::size_t n_kept =
    n_modes == 0 || parameters.compute.deterministic
      ? 0
      : (1 + parameters.problem.supports_of_modes().size()) * VibrationModes::n_of_block(n_modes);
  // The displacements before the last ones are packed: four bytes a number.
  const std::size_t n_packed = n_before == 2 ? n_cases * optimization.n_displacement_sets() : 0;
  const double saved         = 0.5 * static_cast<double>(n_packed);
  return static_cast<double>(n_cases * optimization.n_displacement_sets() * n_before + n_adjoints +
                             n_kept) -
         saved;
}

/// Number of fields of elements.
double n_fields_of_checkpoint(const RunPlan &plan)
{
  const DeckParameters &parameters           = plan.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  return 1. + static_cast<double>(find_design_update(optimization.get().update).n_fields) +
         static_cast<double>(parameters.problem.load_cases().size() *
                             find_response(optimization.objective).fields_in_state);
}

/// Bytes of host memory in addition to a device, on the fullest rank. Collective.
double host_bytes(const RunPlan &plan)
{
  const DeckParameters &parameters = plan.parameters;
  const OutputParameters &output   = parameters.output;
  const Structure structure        = parameters.structure();
  const auto elements              = static_cast<double>(structure.mesh.n_elements);
  const auto nodes                 = static_cast<double>(structure.mesh.n_nodes);
  const auto n_cases               = static_cast<double>(parameters.problem.load_cases().size());
  std::size_t of_meshes            = bytes_of(structure.mesh);
  for (const CoarseLevel &level : structure.coarser)
    of_meshes += bytes_of(level.mesh) + bytes_of(level.transfer);
  of_meshes *= 1 + structure.supports_of_modes.size();

  // Forces while they are collected, and tables of the operator and the filter. Later, the
  // displacements and the stiffness of the last design while it is measured.
  const double of_one_case = 24. * nodes + 8. * elements;

  // The last result: densities, their means at nodes, and displacements. On one rank, the means
  // include the sums of a few threads. Displacements are in float unless stresses are computed from
  // them.
  const bool has_displacements = output.fields != "density";
  double of_densities          = 8. * elements;
  if (output.fields == "all")
    of_densities += (plan.communicator.size() > 1 ? 20. : 8.) * nodes;
  if (parameters.optimization.robust_fields().enabled())
    of_densities += 16. * elements;
  double of_result = of_densities;
  if (output.von_mises || output.nodal_stress)
    of_result += 24. * nodes * n_cases + 8. * elements;
  else if (has_displacements)
    of_result += 12. * nodes * n_cases;
  if (output.nodal_stress) // the tensors, and the sums of one load case
    of_result += (24. * n_cases + 60.) * nodes;

  // The last checkpoint: the state of the method, which is made completely, before the
  // displacements of a load case.
  const double n_of_first_set =
    n_cases * (plan.settings.initial_guess == InitialGuess::extrapolated ? 1.5 : 1.);
  const double of_state = 8. * elements * n_fields_of_checkpoint(plan);
  const double of_checkpoint =
    of_state + 24. * nodes * (n_vectors_of_checkpoint(plan) - n_of_first_set);

  // Before the end of the run, results and checkpoints are written from copies.
  const auto is_due = [&](const std::size_t every) {
    return every > 0 && every < parameters.optimization.get().stopping.max_iterations;
  };
  double of_copies = 0.;
  if (is_due(output.checkpoint_every))
    of_copies = of_densities + of_state + 24. * nodes * n_vectors_of_checkpoint(plan);
  else if (is_due(output.results_every))
    of_copies = of_densities + (has_displacements ? 24. * nodes * n_cases : 0.);
  // The driver and the threads, measured on one H200 with 16 cores.
  return plan.communicator.max(8e8 + static_cast<double>(of_meshes) +
                               std::max({of_one_case, of_result, of_checkpoint, of_copies}));
}

/// Number of solves of the whole run: for each field of each design, including second solves of
/// responses. Results of designs whose blueprint is not analysed need further solves. Collective.
unsigned int count_solves(const RunPlan &plan)
{
  const DeckParameters &parameters           = plan.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  const RobustFields fields                  = optimization.robust_fields();
  const std::size_t n_load_cases             = parameters.problem.load_cases().size();
  // Of all fields.
  const std::size_t of_design = fields.analysed().size() * n_load_cases +
                                optimization.n_adjoints(parameters.constraints, n_load_cases);
  const std::size_t n_prepared =
    parameters.output.fields == "density" ? 1 : estimate_disk(plan).n_results;
  const std::size_t of_results = fields.analyses_blueprint() ? 0 : n_prepared * n_load_cases;
  return static_cast<unsigned int>(optimization.get().stopping.max_iterations * of_design +
                                   of_results);
}

/// Measures PCG iterations on a cube with about as many elements as the mesh, up to a number that
/// keeps the backend busy. Throws Error if the backend cannot do that.
/// @return seconds per element and iteration, and the number of elements of the cube
std::pair<double, std::size_t> measure_iteration(Backend &backend, const RunPlan &plan)
{
  // Enough elements to keep all threads busy, and at most a second of work.
  const unsigned int enough  = backend.memory().is_host() ? 5 : 7;
  unsigned int n_refinements = 2;
  while (n_refinements < enough && std::pow(8., n_refinements + 0.5) <=
                                     static_cast<double>(plan.parameters.problem.mesh().n_elements))
    ++n_refinements;
  MeshMaker maker(MPI_COMM_SELF);
  dealii::GridGenerator::hyper_cube(maker.triangulation());
  ElementType type = plan.parameters.problem.mesh().type;
  if (type == type_of<Tet10Curved>())
    type = type_of<Tet10>();
  ElementMesh mesh;
  if (type == ElementType())
    mesh = std::move(maker.make_mesh(n_refinements, nullptr).elements);
  else
    {
      maker.triangulation().refine_global(n_refinements - 1); // An element costs more.
      mesh = std::move(
        maker.make_mesh(mesh_of_type(type, coarse_mesh_of(maker.triangulation())), nullptr)
          .elements);
    }
  // Supports on one side, forces on the other.
  std::vector<double> forces(mesh.n_owned_dofs(), 0.);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (mesh.coordinates[node] == 0.)
      for (std::size_t c = 0; c < 3; ++c)
        mesh.constrained_dofs.push_back(static_cast<LocalIndex>(3 * node + c));
    else if (mesh.coordinates[node] == 1.)
      forces[3 * node + 2] = 1.;
  mesh.constrained_values.assign(mesh.constrained_dofs.size(), 0.);
  const MeshHierarchy coarser = maker.make_hierarchy(mesh);

  const Material &material = plan.parameters.problem.material();
  Solids solids;
  if (plan.parameters.problem.solids().law.known() == Law::lame) // their values do not matter
    solids = Solids::isotropic({}, std::vector<double>(mesh.n_elements, material.poisson_ratio));
  constexpr unsigned int n_iterations = 4;
  StateSettings settings              = plan.settings;
  settings.control.tolerance          = 1e-14; // never reached
  settings.control.max_iterations     = n_iterations;
  settings.control.accepts_limit      = true;
  TimingTable timing;
  const auto solver = make_state_solver({backend, Communicator(MPI_COMM_SELF), timing},
                                        {mesh, material, coarser, solids},
                                        {{"", 1., forces}},
                                        settings);
  solver->set_stiffness(Array<double>(backend.memory(), std::vector<double>(mesh.n_elements, 1.)));
  solver->solve(0); // the first solve is slower
  const TimingTable clock;
  solver->solve(0);
  return {clock.total() / n_iterations / static_cast<double>(mesh.n_elements), mesh.n_elements};
}
} // namespace

std::vector<MemoryEstimate> estimate_memory(const RunPlan &plan)
{
  const ElementMesh &mesh = plan.parameters.problem.mesh();
  const double on_host    = host_bytes(plan);
  std::vector<MemoryEstimate> estimates;
  const auto add =
    [&](const std::string &backend, const bool on_device, const StrategyLists &strategies) {
      const auto found      = plan.memory_plan(strategies, on_device);
      const MemoryPlan here = found == nullptr ? MemoryPlan() : *found;
      const double bytes    = plan.communicator.max(here.total());
      estimates.push_back({backend,
                           on_device,
                           found == nullptr ? std::nullopt : std::make_optional(bytes),
                           largest_parts(here, plan.communicator),
                           plan.communicator.max(static_cast<double>(mesh.n_elements)),
                           on_device ? on_host : 0.});
    };
  add("cpu", false, {cpu_strategies<double>(), cpu_strategies<float>()});
  if (cuda_compiled())
    add("cuda", true, {cuda_strategies<double>(), cuda_strategies<float>()});
  return estimates;
}

DiskEstimate estimate_disk(const RunPlan &plan)
{
  const DeckParameters &parameters    = plan.parameters;
  const ElementMesh &mesh             = parameters.problem.mesh();
  const OptimizationSettings settings = parameters.optimization.get();
  const auto n_elements               = static_cast<double>(plan.communicator.sum(mesh.n_elements));
  const auto n_nodes  = static_cast<double>(plan.communicator.sum(mesh.n_owned_nodes));
  const auto n_cases  = static_cast<double>(parameters.problem.load_cases().size());
  const std::size_t n = settings.stopping.max_iterations;
  const auto n_files  = [&](const std::size_t every) { // one at the end in any case
    return every == 0 ? 1 : (n + every - 1) / every;
  };
  // A robust design has two more fields of floats in results, and displacements of each field in
  // checkpoints.
  const bool is_robust = parameters.optimization.robust_fields().enabled();
  // measured, compressed
  const double of_stresses = (parameters.output.von_mises ? 4 * n_elements * n_cases : 0.) +
                             (parameters.output.nodal_stress ? 40 * n_nodes * n_cases : 0.);
  const double of_all = (is_robust ? 26 : 18) * n_elements + 12 * n_nodes * n_cases + of_stresses;
  // Typical for designs with a few members. In a thin mesh, most elements are at the surface.
  const double share_of_surface = n_nodes > 1.5 * n_elements ? 1. : 0.2;
  const double result_bytes     = parameters.output.fields == "density"
                                    ? (is_robust ? 24 : 16) * n_elements
                                  : parameters.output.fields == "surface" ? share_of_surface * of_all
                                                                          : of_all;
  return {n_files(parameters.output.results_every),
          n_files(parameters.output.checkpoint_every),
          result_bytes,
          8 * n_elements * n_fields_of_checkpoint(plan) +
            24 * n_nodes * n_vectors_of_checkpoint(plan)};
}

TimeEstimate estimate_time(const RunPlan &plan)
{
  TimeEstimate estimate;
  if (plan.communicator.size() > 1)
    {
      estimate.obstacle = "on one rank only";
      return estimate;
    }
  try
    {
      const ComputeParameters &compute = plan.parameters.compute;
      const ChosenBackend backend =
        make_backend(compute.backend, compute.n_threads, plan.communicator, compute.communication);
      const auto [seconds, n_timed] = measure_iteration(*backend.backend, plan);
      estimate.n_timed              = n_timed;
      estimate.n_solves             = count_solves(plan);
      // Usual numbers of iterations. With Jacobi's and similar preconditioners, they grow with the
      // mesh.
      const bool multigrid     = plan.settings.preconditioner.name == "multigrid";
      const auto n             = static_cast<double>(plan.parameters.problem.mesh().n_elements);
      const double edge        = std::cbrt(n);
      estimate.few_iterations  = multigrid ? 10 : std::round(8 * edge);
      estimate.many_iterations = multigrid ? 40 : std::round(30 * edge);
      estimate.least           = seconds * n * estimate.few_iterations * estimate.n_solves;
      estimate.most            = seconds * n * estimate.many_iterations * estimate.n_solves;
    }
  catch (const Error &error)
    {
      estimate.obstacle = std::string("none. ") + error.what();
    }
  return estimate;
}
} // namespace strut
