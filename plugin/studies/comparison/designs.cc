// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/designs.h"

#include <strut/backend/timing.h>
#include <strut/base/exceptions.h>

#include <array>
#include <cmath>
#include <numeric>
#include <ostream>

#include "plugin/base/choose_backend.h"
#include "plugin/base/host_halo.h"
#include "plugin/studies/report/choices.h"
#include "source/mesh/bounding_box.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/simp.h"

namespace strut
{
namespace
{
unsigned int to_iteration(const std::string &name)
{
  return to_number(name, "design", 1, 100000, "uniform, or frame");
}

/// 1 on the nodes with a force in the first load case, including ghosts, `[n_nodes]`.
std::vector<double> loaded_nodes(const Problem &problem, const Communicator &communicator)
{
  const ElementMesh &mesh          = problem.mesh();
  const std::vector<double> forces = problem.load_cases().front().forces.dense();
  std::vector<double> loaded(mesh.n_nodes, 0.);
  for (std::size_t i = 0; i < forces.size(); ++i)
    if (forces[i] != 0.)
      loaded[i / 3] = 1.;
  update_ghosts(communicator.mpi(), mesh, loaded);
  return loaded;
}

/// Factors of the frame. Lengths are in edges of a cube of the mean element's volume. On a box of
/// equal cubes the solid elements (i, j, k) have j a multiple of 4 or i + k a multiple of 6.
std::vector<double>
frame(const Problem &problem, const Communicator &communicator, const double contrast)
{
  const ElementMesh &mesh = problem.mesh();
  const std::size_t n     = mesh.n_elements;
  const double volume     = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
  const double edge       = std::cbrt(communicator.sum(volume) / communicator.sum(double(n)));
  const Box box           = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  const std::vector<double> loaded = loaded_nodes(problem, communicator);

  std::vector<double> stiffness(n, contrast);
  for (std::size_t e = 0; e < n; ++e)
    {
      const std::array<double, 3> centre = mesh.centre(e);
      std::array<long, 3> at{};
      for (std::size_t d = 0; d < 3; ++d)
        at[d] = std::lround(std::floor((centre[d] - box[d]) / edge));
      bool solid = at[1] % 4 == 0 || (at[0] + at[2]) % 6 == 0;
      for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
        solid |= loaded[mesh.node(e, a)] > 0.;
      if (solid)
        stiffness[e] = 1.;
    }
  return stiffness;
}

std::vector<double> optimized(const unsigned int n_iterations,
                              const std::string &backend_name,
                              const DeckParameters &parameters,
                              const Communicator &communicator,
                              std::ostream &log)
{
  const Problem &problem              = parameters.problem;
  const ChosenBackend chosen          = make_backend(backend_name, 0, communicator);
  Backend &backend                    = *chosen.backend;
  const OptimizationSettings settings = parameters.optimization.get();
  const Structure structure{problem.mesh(), problem.material(), problem.hierarchy()};
  TimingTable timing;
  const Execution execution{backend, communicator, timing};
  StateSettings wanted = parameters.solver.get(
    parameters.compute,
    choose_preconditioner("auto", Precision::fp64, communicator, structure).name);
  wanted.strategy   = "on_the_fly";
  wanted.precision  = Precision::fp64;
  const auto solver = make_state_solver(execution, structure, problem.load_cases(), wanted);
  DesignChain map   = parameters.optimization.make_map(backend, communicator, problem.mesh());
  std::vector<std::string> names;
  for (const LoadCase &load_case : problem.load_cases())
    names.push_back(load_case.name);
  Simp simp(execution,
            problem.mesh(),
            *solver,
            parameters.optimization.make_problem(
              parameters.constraints, backend, problem, communicator.mpi(), names),
            map,
            settings);
  IterationRecord last;
  for (unsigned int i = 0; i < n_iterations; ++i)
    last = simp.iterate();
  log << "  optimized: iteration " << last.iteration << ", " << parameters.optimization.objective
      << " " << last.objective << ", volume fraction " << last.volume_fraction << std::endl;
  return simp.analysed_stiffness();
}
} // namespace

void require_design(const std::string &name)
{
  if (name != "uniform" && name != "frame")
    to_iteration(name);
}

std::vector<double> uniform_design(const DeckParameters &parameters,
                                   const Communicator &communicator)
{
  const ElementMesh &mesh             = parameters.problem.mesh();
  const OptimizationSettings settings = parameters.optimization.get();
  std::vector<double> stiffness       = VolumeConstraint::build(communicator,
                                                          mesh,
                                                          settings.volume_fraction,
                                                          settings.criteria.minimum_density,
                                                          settings.count_non_design)
                                    .uniform_design(mesh, settings.criteria.minimum_density);
  for (double &value : stiffness)
    value = settings.interpolation.stiffness(value);
  return stiffness;
}

std::vector<double> make_design(const std::string &name,
                                const double contrast,
                                const std::string &backend,
                                DeckParameters &parameters,
                                const Communicator &communicator,
                                std::ostream &log)
{
  for (const LoadCase &load_case : parameters.problem.load_cases())
    if (load_case.follows_design())
      throw Error(
        "Load case '" + load_case.name +
        "' has loads that follow the design, and are others for each: the comparison measures "
        "fixed loads.\n  Use the type 'body force' instead.");
  if (name == "uniform")
    return uniform_design(parameters, communicator);
  if (name == "frame")
    return frame(parameters.problem, communicator, contrast);
  return optimized(to_iteration(name), backend, parameters, communicator, log);
}
} // namespace strut
