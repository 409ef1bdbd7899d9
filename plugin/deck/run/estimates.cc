// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/estimates.h"

#include <deal.II/grid/grid_generator.h>

#include <strut/base/text.h>
#include <strut/solvers/state/state_solver.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "plugin/deck/problem/mesh_maker.h"

namespace strut::plugin
{
namespace
{
/// Hold the face x = 0.
void hold(ElementMesh &mesh)
{
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (mesh.coordinates[node] == 0.)
      for (std::size_t c = 0; c < 3; ++c)
        mesh.constrained_dofs.push_back(static_cast<LocalIndex>(3 * node + c));
  mesh.constrained_values.assign(mesh.constrained_dofs.size(), 0.);
}

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
} // namespace

IterationTime measure_iteration(const ChosenBackend &backend,
                                const Material &material,
                                StateSettings settings,
                                const std::size_t n_elements)
{
  // enough to keep all threads busy, and no more than a second's work
  const unsigned int enough  = backend.backend->memory().is_host() ? 5 : 7;
  unsigned int n_refinements = 2;
  while (n_refinements < enough &&
         std::pow(8., n_refinements + 0.5) <= static_cast<double>(n_elements))
    ++n_refinements;
  MeshMaker maker(MPI_COMM_SELF);
  dealii::GridGenerator::hyper_cube(maker.triangulation());
  ElementMesh mesh = std::move(maker.make_mesh(n_refinements, nullptr).elements);
  hold(mesh);
  const MeshHierarchy coarser = maker.make_hierarchy(mesh);

  constexpr unsigned int n_iterations = 4;
  settings.control.tolerance          = 1e-14; // not reached
  settings.control.max_iterations     = n_iterations;
  settings.control.accepts_limit      = true;
  std::vector<double> forces(mesh.n_owned_dofs(), 0.);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    if (mesh.coordinates[node] == 1.)
      forces[3 * node + 2] = 1.;
  TimingTable timing;
  const auto solver = make_state_solver({*backend.backend, Communicator(MPI_COMM_SELF), timing},
                                        {mesh, material, coarser},
                                        {{"", 1., forces}},
                                        settings);
  solver->set_stiffness(
    Array<double>(backend.backend->memory(), std::vector<double>(mesh.n_elements, 1.)));
  solver->solve(0); // the first one is slower
  const TimingTable clock;
  solver->solve(0);
  return {clock.total() / n_iterations / static_cast<double>(mesh.n_elements), mesh.n_elements};
}

std::string describe_time(const IterationTime &time,
                          const std::size_t n_elements,
                          const unsigned int n_solves,
                          const bool multigrid)
{
  const auto n      = static_cast<double>(n_elements);
  const double edge = std::cbrt(n);
  const double few  = multigrid ? 10 : std::round(8 * edge);
  const double many = multigrid ? 40 : std::round(30 * edge);
  const auto of     = [&](const double iterations) {
    return format_seconds(time.seconds_per_element * n * iterations * n_solves);
  };
  char range[64];
  std::snprintf(range, sizeof(range), "%.0f to %.0f", few, many);
  return "  time estimate: " + std::to_string(n_solves) + " solves of " + range +
         " PCG iterations take " + of(few) + " to " + of(many) + " here (measured on a cube of " +
         std::to_string(time.n_elements) + " elements)\n";
}

std::string DiskEstimate::text() const
{
  return "  disk estimate: " + std::to_string(n_results) +
         (n_results == 1 ? " result" : " results") + " of about " + format_bytes(result_bytes) +
         "; " +
         (n_checkpoints == 0 ? std::string("no checkpoint")
                             : std::to_string(n_checkpoints) +
                                 (n_checkpoints == 1 ? " checkpoint" : " checkpoints") +
                                 " of about " + format_bytes(checkpoint_bytes) +
                                 ", of which the last two are kept while the next is written") +
         "\n";
}
} // namespace strut::plugin
