// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/grid/grid_generator.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <cmath>
#include <utility>

#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
namespace
{
/// Measures PCG iterations on a cube with about as many elements, up to a number that keeps the
/// backend busy. Throws Error if the backend cannot do that.
/// @param has_ratios  whether materials have their own Poisson's ratios
/// @return seconds per element and iteration, and the number of elements of the cube
std::pair<double, std::size_t> measure_iteration(Backend &backend,
                                                 const Material &material,
                                                 const bool has_ratios,
                                                 StateSettings settings,
                                                 const std::size_t n_elements)
{
  // Enough elements to keep all threads busy, and at most a second of work.
  const unsigned int enough  = backend.memory().is_host() ? 5 : 7;
  unsigned int n_refinements = 2;
  while (n_refinements < enough &&
         std::pow(8., n_refinements + 0.5) <= static_cast<double>(n_elements))
    ++n_refinements;
  MeshMaker maker(MPI_COMM_SELF);
  dealii::GridGenerator::hyper_cube(maker.triangulation());
  ElementMesh mesh = std::move(maker.make_mesh(n_refinements, nullptr).elements);
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

  MaterialRatios ratios;
  if (has_ratios) // their values do not matter
    ratios.poisson_ratio.assign(mesh.n_elements, material.poisson_ratio);
  constexpr unsigned int n_iterations = 4;
  settings.control.tolerance          = 1e-14; // never reached
  settings.control.max_iterations     = n_iterations;
  settings.control.accepts_limit      = true;
  TimingTable timing;
  const auto solver = make_state_solver({backend, Communicator(MPI_COMM_SELF), timing},
                                        {mesh, material, coarser, ratios},
                                        {{"", 1., forces}},
                                        settings);
  solver->set_stiffness(Array<double>(backend.memory(), std::vector<double>(mesh.n_elements, 1.)));
  solver->solve(0); // the first solve is slower
  const TimingTable clock;
  solver->solve(0);
  return {clock.total() / n_iterations / static_cast<double>(mesh.n_elements), mesh.n_elements};
}
} // namespace

unsigned int RunPlan::n_solves() const
{
  const OptimizationParameters &optimization = parameters_.optimization;
  const RobustFields fields                  = optimization.robust_fields();
  const std::size_t n_load_cases             = parameters_.problem.load_cases().size();
  // Of all fields.
  const std::size_t of_design = fields.analysed().size() * n_load_cases +
                                optimization.n_adjoints(parameters_.constraints, n_load_cases);
  const std::size_t n_prepared = parameters_.output.fields == "density" ? 1 : disk().n_results;
  const std::size_t of_results = fields.analyses_blueprint() ? 0 : n_prepared * n_load_cases;
  return static_cast<unsigned int>(optimization.get().stopping.max_iterations * of_design +
                                   of_results);
}

TimeEstimate RunPlan::time() const
{
  TimeEstimate estimate;
  if (communicator_.size() > 1)
    {
      estimate.obstacle = "on one rank only";
      return estimate;
    }
  try
    {
      const Problem &problem        = parameters_.problem;
      const ChosenBackend backend   = make_backend(parameters_.compute.backend,
                                                 parameters_.compute.n_threads,
                                                 communicator_,
                                                 parameters_.compute.communication);
      const auto [seconds, n_timed] = measure_iteration(*backend.backend,
                                                        problem.material(),
                                                        !problem.ratios().poisson_ratio.empty(),
                                                        settings_,
                                                        problem.mesh().n_elements);
      estimate.n_timed              = n_timed;
      estimate.n_solves             = n_solves();
      // Usual numbers of iterations. With Jacobi's and similar preconditioners, they grow with the
      // mesh.
      const bool multigrid     = settings_.preconditioner.name == "multigrid";
      const auto n             = static_cast<double>(problem.mesh().n_elements);
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
