// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/output/checkpoint.h"
#include "plugin/deck/run/design_run.h"

namespace strut::plugin
{
/// The objects that live as long as the optimization runs.
struct DesignRun::Loop
{
  /// Takes the load cases of the problem.
  Loop(DesignRun &app, Communicator communicator, TimingTable &timing)
    : state(make_state_solver({*app.backend_.backend, communicator, timing},
                              app.structure(),
                              app.parameters_.problem.take_load_cases(),
                              app.parameters_.solver.get(app.parameters_.compute,
                                                         app.preconditioner_.name)))
    , map(app.parameters_.optimization.make_map(*app.backend_.backend,
                                                communicator,
                                                app.parameters_.problem.mesh()))
    , design_method(
        app.parameters_.optimization.make_method({{*app.backend_.backend, communicator, timing},
                                                  app.parameters_.problem.mesh(),
                                                  *state,
                                                  app.make_problem(names_of_load_cases(*state)),
                                                  map,
                                                  app.parameters_.optimization.get(),
                                                  app.parameters_.optimization.filter_radius,
                                                  app.parameters_.problem.mirrors()}))
    , writer(
        app.parameters_.problem.mesh(),
        app.parameters_.problem.material(),
        [&mesh = app.parameters_.problem.deck_mesh()](const std::size_t e) {
          return static_cast<std::int32_t>(mesh.material_id(e));
        },
        app.communicator_,
        app.output_directory_,
        app.parameters_.base_name,
        app.parameters_.output.von_mises,
        static_cast<int>(app.backend_.n_threads))
  {}

  static std::vector<std::string> names_of_load_cases(const StateSolver &state)
  {
    std::vector<std::string> names;
    for (std::size_t l = 0; l < state.n_load_cases(); ++l)
      names.push_back(state.load_case(l).name);
    return names;
  }

  DesignMethod &method()
  {
    return *design_method;
  }
  const DesignMethod &method() const
  {
    return *design_method;
  }

  std::unique_ptr<StateSolver> state;
  DesignChain map;
  std::unique_ptr<DesignMethod> design_method;
  unsigned int first_iteration = 1; ///< of this start
  ResultWriter writer;
  std::unique_ptr<Checkpoint> checkpoint; ///< from the first time that it is needed
};
} // namespace strut::plugin
