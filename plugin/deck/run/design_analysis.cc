// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/design_analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

#include "plugin/deck/output/field_on_mesh.h"
#include "plugin/deck/output/node_means.h"
#include "plugin/deck/output/result_file.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/run/nodal_stresses.h"
#include "plugin/deck/run/run_plan.h"
#include "plugin/deck/run/solid_body.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/design_pieces.h"
#include "source/optimization/load_nodes.h"
#include "source/optimization/responses/compliance.h"
#include "source/solvers/state/von_mises.h"

namespace strut
{
namespace
{
/// Stiffness of elements without material, relative to the solid: islands then need no support.
constexpr double void_stiffness = 1e-9;

struct Findings
{
  double compliance = 0.;
  LargestValues largest;
  unsigned int iterations = 0;
  std::string at_nodes; ///< lines on stresses at nodes and on points
};

class Analysis
{
public:
  Analysis(RunContext &run, const RunPlan &plan, std::vector<LoadCase> load_cases)
    : run_(run)
    , mesh_(run.parameters.problem.mesh())
    , points_(find_points(run.communicator, mesh_, run.parameters.output.points))
    , state_(make_state_solver({run.backend(), run.communicator, run.timing},
                               run.parameters.structure(),
                               std::move(load_cases),
                               plan.settings))
  {}

  const std::string &name(const std::size_t l) const
  {
    return state_->load_case(l).name;
  }

  /// Solves for the displacements of all load cases. Collective.
  std::vector<Findings> solve(const std::string &design,
                              const std::vector<double> &densities,
                              const std::vector<double> &stiffness)
  {
    Memory &memory = run_.backend().memory();
    const Array<double> E(memory, stiffness);
    Array<double> energies(memory, mesh_.n_elements);
    state_->set_stiffness(E);
    state_->set_densities(Array<double>(memory, densities));
    const Problem &problem              = run_.parameters.problem;
    const auto n_threads                = static_cast<int>(run_.chosen.n_threads);
    const std::vector<double> of_design = stiffness_of_design(stiffness, densities, n_threads);
    std::vector<Findings> findings;
    for (std::size_t l = 0; l < state_->n_load_cases(); ++l)
      {
        Findings found;
        found.iterations = state_->solve_to_tolerance(l).iterations;
        found.compliance =
          compliance_of(run_.backend(), run_.communicator, *state_, l, E, energies);
        const SolidsOfElements solids(problem.material(), problem.solids());
        const std::vector<double> u = state_->displacement(l);
        found.largest = largest_values(run_.communicator, mesh_, solids, of_design, u, n_threads);
        const NodalStresses stresses =
          measure_nodal_stresses(run_.communicator,
                                 problem,
                                 {mesh_, solids, of_design, u, state_->load_case(l).expansion},
                                 points_,
                                 false,
                                 n_threads);
        const std::string of_case = ", " + design + ", load case '" + name(l) + "'";
        found.at_nodes = describe(stresses.largest, of_case) + describe(stresses.points, of_case);
        findings.push_back(found);
      }
    return findings;
  }

  /// Returns notes, a line each, on forces that act on void or on material without support.
  /// Collective.
  /// @param densities  0 or 1
  std::string notes_on_forces_in_void(const std::vector<double> &densities) const
  {
    const std::vector<double> means = means_at_nodes(
      run_.communicator.mpi(),
      mesh_,
      densities,
      [](std::size_t) { return 1.; },
      static_cast<int>(run_.chosen.n_threads));
    std::ostringstream notes;
    for (std::size_t l = 0; l < state_->n_load_cases(); ++l)
      {
        std::array<double, 2> forces = {{0., 0.}}; // sums of forces: in void, and all
        state_->load_case(l).forces.for_each([&](const std::size_t dof, const double force) {
          if (dof >= mesh_.n_owned_dofs())
            return;
          forces[0] += means[dof / 3] > 0. ? 0. : std::abs(force);
          forces[1] += std::abs(force);
        });
        run_.communicator.sum(forces.data(), 2);
        LoadNodes nodes(run_.communicator, mesh_, run_.parameters.problem.mirrors());
        nodes.add(state_->load_case(l));
        const bool is_parted =
          parts_load_from_supports(run_.backend(), run_.communicator, mesh_, densities, nodes, 0.5);
        if (!(forces[0] > 1e-9 * forces[1]) && !is_parted)
          continue;
        notes.precision(3);
        notes << "  NOTE: load case '" << name(l) << "': ";
        if (forces[0] > 1e-9 * forces[1])
          notes << 100. * forces[0] / forces[1]
                << " % of the forces act on nodes without solid elements";
        else
          notes << "forces act on solid elements that nothing holds";
        notes << ", so its row 'solid' has the displacements of a billionth of the stiffness\n";
      }
    return notes.str();
  }

private:
  RunContext &run_;
  const ElementMesh &mesh_;
  std::vector<NamedPoint> points_;
  std::unique_ptr<StateSolver> state_;
};

/// Density of void elements in the run that wrote a result. If there are none, the least density.
double density_of_void(const ResultFile &file)
{
  double of_void = 1., least = 1.;
  bool has_void = false;
  for (std::size_t e = 0; e < file.densities.size(); ++e)
    {
      least = std::min(least, file.densities[e]);
      if (file.mesh.flags[e] == DesignFlag::empty)
        {
          has_void = true;
          of_void  = std::min(of_void, file.densities[e]);
        }
    }
  return has_void ? of_void : least;
}

std::string row(const std::string &design,
                const double volume,
                const std::string &load_case,
                const Findings &found)
{
  char text[256];
  std::snprintf(text,
                sizeof(text),
                "  %-8s %12.6g   %-16s %14.8g %14.6g %14.6g %14.6g %9u\n",
                design.c_str(),
                volume,
                load_case.c_str(),
                found.compliance,
                found.largest.corner_stress,
                found.largest.stress,
                found.largest.displacement,
                found.iterations);
  return text;
}

/// The lines above a table of row()s.
const std::string table_head =
  "\n                                                      von Mises stress: largest at\n"
  "  design         volume   load case            compliance        corners        centres   displacement  PCG iter\n";
} // namespace

RunPlan plan_analysis(RunContext &run)
{
  const DeckParameters &parameters = run.parameters;
  run.chosen                       = make_backend(parameters.compute.backend,
                            parameters.compute.n_threads,
                            run.communicator,
                            parameters.compute.communication);
  run.log.say(run.header());
  const LongStep step(run.log, "making the mesh, its regions and loads");
  run.parameters.make_structure(run.communicator);
  RunPlan plan(parameters, run.communicator);
  parameters.problem.check_well_posed(true);
  run.log.say(parameters.problem.describe());
  plan.check_memory(run.chosen);
  return plan;
}

void analyse_solid_body(RunContext &run, const RunPlan &plan)
{
  const DeckParameters &parameters = run.parameters;
  const ElementMesh &mesh          = parameters.problem.mesh();
  std::vector<double> densities(mesh.n_elements, 1.), stiffness(densities);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::empty)
      {
        densities[e] = 0.;
        stiffness[e] = void_stiffness;
      }
  const LongStep step(run.log, "solving the solid body");
  Analysis analysis(run, plan, parameters.problem.load_cases());
  const std::vector<Findings> found = analysis.solve("solid", densities, stiffness);
  const double volume               = volume_of_design(run.communicator, mesh, densities);
  std::string table                 = table_head, at_nodes;
  for (std::size_t l = 0; l < found.size(); ++l)
    {
      table += row("solid", volume, analysis.name(l), found[l]);
      at_nodes += found[l].at_nodes;
    }
  run.log.say_always(table + at_nodes);
}

void analyse_design(RunContext &run, const std::string &result)
{
  const DeckParameters &parameters = run.parameters;
  const RunPlan plan               = plan_analysis(run);
  const ElementMesh &mesh          = parameters.problem.mesh();
  const auto n_threads             = static_cast<int>(run.chosen.n_threads);
  std::vector<double> grey;
  double of_void = 0.;
  {
    const LongStep step(run.log, "reading the design");
    const ResultFile file = read_result(result, n_threads);
    of_void               = density_of_void(file);
    grey                  = field_on_mesh(file.mesh, file.densities, mesh, n_threads);
  }
  const Interpolation interpolation = parameters.optimization.get().interpolation;
  std::vector<double> stiffness(mesh.n_elements), solid(stiffness), solid_stiffness(stiffness);
  Analysis analysis(run, plan, run.parameters.problem.take_load_cases());
  const double level = threshold_of_volume(run.communicator, mesh, grey);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    const DesignFlag flag = mesh.flags[e];
    if (flag != DesignFlag::design)
      grey[e] = flag == DesignFlag::solid ? 1. : of_void;
    const bool is_solid =
      flag == DesignFlag::solid || (flag == DesignFlag::design && grey[e] >= level);
    const double of_density = interpolation.stiffness(grey[e]); // however small it is in the run
    stiffness[e]            = of_density > 0. ? of_density : void_stiffness;
    solid[e]                = is_solid ? 1. : 0.;
    solid_stiffness[e]      = is_solid ? 1. : void_stiffness;
  });
  std::string table = table_head, at_nodes;
  for (const bool is_grey : {true, false})
    {
      const LongStep step(run.log, "solving");
      const std::string design             = is_grey ? "grey" : "solid";
      const std::vector<double> &densities = is_grey ? grey : solid;
      const std::vector<Findings> found =
        analysis.solve(design, densities, is_grey ? stiffness : solid_stiffness);
      const double volume = volume_of_design(run.communicator, mesh, densities);
      for (std::size_t l = 0; l < found.size(); ++l)
        {
          table += row(design, volume, analysis.name(l), found[l]);
          at_nodes += found[l].at_nodes;
        }
    }
  char text[160];
  std::snprintf(text, sizeof(text), "  solid: the elements with a density from %.6g\n", level);
  run.log.say_always(table + text + at_nodes);
  run.log.say(analysis.notes_on_forces_in_void(solid));
}
} // namespace strut
