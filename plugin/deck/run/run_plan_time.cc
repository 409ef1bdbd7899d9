// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/grid/grid_generator.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/deck/run/run_plan.h"

namespace strut::plugin
{
namespace
{
std::string format_seconds(const double seconds)
{
  char text[32];
  if (seconds < 100)
    std::snprintf(text, sizeof(text), "%.2g s", seconds);
  else if (seconds < 6000)
    std::snprintf(text, sizeof(text), "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof(text), "%.0f h", seconds / 3600);
  return text;
}

/// Time PCG iterations on a cube of about as many elements, up to what keeps the backend busy. Throws Error if the
/// backend cannot do that.
/// @return seconds per element and iteration, and the elements of the cube
std::pair<double, std::size_t> measure_iteration(Backend &backend,
                                                 const Material &material,
                                                 StateSettings settings,
                                                 const std::size_t n_elements)
{
  // enough to keep all threads busy, and no more than a second's work
  const unsigned int enough  = backend.memory().is_host() ? 5 : 7;
  unsigned int n_refinements = 2;
  while (n_refinements < enough &&
         std::pow(8., n_refinements + 0.5) <= static_cast<double>(n_elements))
    ++n_refinements;
  MeshMaker maker(MPI_COMM_SELF);
  dealii::GridGenerator::hyper_cube(maker.triangulation());
  ElementMesh mesh = std::move(maker.make_mesh(n_refinements, nullptr).elements);
  // held on one side, with forces on the other
  std::vector<double> forces(mesh.n_owned_dofs(), 0.);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (mesh.coordinates[node] == 0.)
      for (std::size_t c = 0; c < 3; ++c)
        mesh.constrained_dofs.push_back(static_cast<LocalIndex>(3 * node + c));
    else if (mesh.coordinates[node] == 1.)
      forces[3 * node + 2] = 1.;
  mesh.constrained_values.assign(mesh.constrained_dofs.size(), 0.);
  const MeshHierarchy coarser = maker.make_hierarchy(mesh);

  constexpr unsigned int n_iterations = 4;
  settings.control.tolerance          = 1e-14; // not reached
  settings.control.max_iterations     = n_iterations;
  settings.control.accepts_limit      = true;
  TimingTable timing;
  const auto solver = make_state_solver({backend, Communicator(MPI_COMM_SELF), timing},
                                        {mesh, material, coarser},
                                        {{"", 1., forces}},
                                        settings);
  solver->set_stiffness(Array<double>(backend.memory(), std::vector<double>(mesh.n_elements, 1.)));
  solver->solve(0); // the first one is slower
  const TimingTable clock;
  solver->solve(0);
  return {clock.total() / n_iterations / static_cast<double>(mesh.n_elements), mesh.n_elements};
}
} // namespace

std::string RunPlan::time() const
{
  if (communicator_.size() > 1)
    return "  time estimate: on one rank only\n";
  try
    {
      const Problem &problem        = parameters_.problem;
      const ChosenBackend backend   = make_backend(parameters_.compute.backend,
                                                 parameters_.compute.n_threads,
                                                 communicator_,
                                                 parameters_.compute.communication);
      const auto [seconds, n_timed] = measure_iteration(*backend.backend,
                                                        problem.material(),
                                                        settings_,
                                                        problem.mesh().n_elements);
      const auto n_solves           = static_cast<unsigned int>(
        parameters_.optimization.get().stopping.max_iterations * problem.load_cases().size());
      // Usual numbers of iterations. Those of Jacobi's preconditioner and the like grow with the mesh.
      const bool multigrid = settings_.preconditioner.name == "multigrid";
      const auto n         = static_cast<double>(problem.mesh().n_elements);
      const double edge    = std::cbrt(n);
      const double each    = seconds * n;
      const double few     = multigrid ? 10 : std::round(8 * edge);
      const double many    = multigrid ? 40 : std::round(30 * edge);
      const auto of        = [&](const double iterations) {
        return format_seconds(each * iterations * n_solves);
      };
      char range[64];
      std::snprintf(range, sizeof(range), "%.0f to %.0f", few, many);
      return "  time estimate: " + std::to_string(n_solves) + " solves of " + range +
             " PCG iterations take " + of(few) + " to " + of(many) +
             " here (measured on a cube of " + std::to_string(n_timed) + " elements)\n";
    }
  catch (const Error &error)
    {
      return std::string("  time estimate: none. ") + error.what() + '\n';
    }
}
} // namespace strut::plugin
