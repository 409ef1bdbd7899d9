// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/driver/application.h"

namespace strut::plugin
{
/// What lives as long as the optimization runs.
struct Application::Loop
{
  Loop(const Application &app, Communicator communicator, TimingTable &timing)
    : state(make_state_solver(app.compute_.precision,
                              *app.backend_.backend,
                              communicator,
                              app.problem_.mesh(),
                              app.problem_.material(),
                              app.problem_.load_cases(),
                              app.solver_.get(app.compute_.strategy),
                              timing))
    , filter(make_filter(app.optimization_.filter,
                         *app.backend_.backend,
                         communicator,
                         app.problem_.mesh(),
                         app.optimization_.filter_radius))
    , simp(*app.backend_.backend,
           communicator,
           app.problem_.mesh(),
           *state,
           *filter,
           app.optimization_.get(),
           timing)
    , writer(app.problem_.dof_handler(),
             app.problem_.mesh(),
             app.problem_.material(),
             app.communicator_,
             app.output_directory_,
             app.base_name_,
             app.output_.von_mises)
  {}

  std::unique_ptr<StateSolver> state;
  std::unique_ptr<Filter> filter;
  Simp simp;
  ResultWriter writer;
};
} // namespace strut::plugin
