// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/design_run.h"

#include <strut/base/exceptions.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/parameters/deck_remedies.h"
#include "plugin/deck/run/design_analysis.h"
#include "plugin/deck/run/faulty_place.h"
#include "plugin/deck/run/initial_design.h"
#include "plugin/deck/run/named_points.h"
#include "plugin/deck/run/problem_file.h"
#include "plugin/deck/run/run_facts.h"
#include "plugin/deck/run/run_remarks.h"
#include "plugin/deck/run/run_report.h"
#include "plugin/deck/run/solid_body.h"
#include "plugin/deck/run/solve_notes.h"
#include "plugin/deck/run/versions.h"
#include "source/base/team.h"
#include "source/base/text.h"
#include "source/base/watchdog.h"

namespace strut
{
namespace
{
volatile std::sig_atomic_t requested = 0;

void request_stop(const int signal)
{
  requested = 1;
  // A closed terminal sends it twice: once from its shell, once from the system. The program that
  // reads the log may end with the terminal; results come first.
  const bool terminal_is_gone = signal == SIGHUP;
  std::signal(signal, terminal_is_gone ? SIG_IGN : SIG_DFL);
  if (terminal_is_gone)
    std::signal(SIGPIPE, SIG_IGN);
}

/// Installs handlers for SIGINT, SIGTERM, SIGHUP and SIGUSR1. The first signal asks the run to stop
/// after its iteration, the second ends the program at once. A second SIGHUP is ignored, because
/// closed terminals send it twice. Under nohup, SIGHUP does nothing.
void catch_stop_signals()
{
  std::signal(SIGINT, &request_stop);
  std::signal(SIGTERM, &request_stop);
  // mpirun forwards SIGUSR1 and waits; after SIGINT it gives its ranks only a second.
  std::signal(SIGUSR1, &request_stop);
  // nohup ignores SIGHUP; this is kept.
  if (std::signal(SIGHUP, &request_stop) == SIG_IGN)
    std::signal(SIGHUP, SIG_IGN);
}

/// Reports a rank that waits in vain for another one, and the checkpoint from which to resume.
void watch_ranks(const Communicator &communicator, const std::string &checkpoint)
{
  watchdog::start(communicator, [checkpoint](const std::string &reason) {
    std::cerr << "\nstrut: error: " << reason << "\n  "
              << (std::filesystem::exists(checkpoint)
                    ? "The last checkpoint is in " + checkpoint +
                        ": go on with --resume, on any number of ranks."
                    : "There is no checkpoint yet.")
              << std::endl;
  });
}

/// Throws EntryError if the deck asks for reproducible bits and its operator on the backend does
/// not give them.
void check_operator(const ComputeParameters &compute, const Backend &backend)
{
  if (!compute.deterministic)
    return;
  const auto check = [&](const auto &strategies) {
    std::string others;
    bool refused = false;
    for (const auto &strategy : strategies)
      if (strategy.deterministic)
        add_to_list(others, strategy.name);
      else
        refused = refused || strategy.name == compute.strategy;
    if (refused)
      throw EntryError({},
                       "Operator",
                       "On the backend '" + backend.name() + "' the operator '" + compute.strategy +
                         "' adds in the order in which threads arrive, and the deck asks for "
                         "'Deterministic = true'.\nDeterministic there: " +
                         others + ".");
  };
  if (compute.precision == Precision::fp32)
    check(backend.strategies<float>());
  else
    check(backend.strategies<double>());
}

/// Throws EntryError for `Best design` where it has no meaning. Methods that remove material end
/// with their last sound design, because objectives at different volumes are not comparable.
void check_best_design(const DeckParameters &parameters)
{
  if (!parameters.output.keeps_best)
    return;
  const auto refuse = [](const std::string &text) {
    throw EntryError({"Output"}, "Best design", text);
  };
  if (!parameters.method_entry().solves_any_problem)
    refuse(
      "The method '" + parameters.optimization.method +
      "' takes away material, and ends at its last sound design: none before is better.\nLeave this entry "
      "out.");
  const std::string &objective = parameters.optimization.objective;
  if (find_response(objective).only_minimised)
    refuse("The objective '" + objective +
           "' has penalties that grow from design to design: it does not say which design is the "
           "best.\nLeave this entry out.");
  if (parameters.solver.control().accepts_limit)
    refuse(
      "With 'At limit = accept' the objectives are those of displacements that solve nothing yet: they do not say "
      "which design is the best.\nLeave one of both entries out.");
}

/// Throws EntryError for entries of 'Output' that contradict each other.
void check_output(const DeckParameters &parameters)
{
  const OutputParameters &output = parameters.output;
  if ((output.von_mises || output.nodal_stress) && output.fields == "density")
    throw EntryError(
      {"Output"},
      output.von_mises ? "Von Mises stress" : "Nodal stress",
      "With 'Fields = density' results have densities alone, and no stress.\nLeave one of "
      "both entries out.");
}

/// Files that show a problem before it is solved.
struct RunPreview
{
  /// Paths of the files; none if there are too many elements, or if they cannot be written.
  std::vector<std::string> files;
  std::string text; ///< lines for the log
};

/// Number of elements for which file and page take some seconds.
constexpr std::size_t most_elements_to_show = 2'000'000;

/// Writes `<deck>-problem.vtu` and `<deck>-problem.html` into the output directory. They show mesh,
/// regions, supports and loads. Collective.
RunPreview write_preview(const RunContext &run)
{
  const Problem &problem = run.parameters.problem;
  if (problem.summary().n_cells > most_elements_to_show)
    return {{},
            "  no file and no page to look at: the mesh has more than " +
              std::to_string(most_elements_to_show) + " elements\n"};
  const std::string name = run.file(run.parameters.base_name + "-problem");
  RunPreview preview;
  try
    {
      on_root(run.communicator, [&] { create_folder(run.folder); });
      write_problem(name + ".vtu", problem, run.communicator.mpi(), cpu::default_n_threads());
      const StructurePage page = problem_page(run.parameters.base_name, problem, run.communicator);
      on_root(run.communicator, [&] { write_file_atomically(name + ".html", to_html(page)); });
      preview.files = {name + ".vtu", name + ".html"};
      preview.text =
        "  to look at: " + name + ".html, in a browser; " + name + ".vtu, in ParaView\n";
    }
  catch (const Error &error) // the preview is not needed for the run
    {
      preview.text = std::string("  NOTE: no file and no page to look at: ") + error.what() + '\n';
    }
  return preview;
}
/// Runs an action. If it throws an EntryErrorAt, the place of the fault is drawn.
template <typename Action>
auto drawing_faults(RunContext &run, const Action &action)
{
  try
    {
      return action();
    }
  catch (const EntryErrorAt &error)
    {
      if (error.place != nullptr)
        run.log.say_always(draw_place(run, *error.place));
      throw;
    }
}

void start_backend(RunContext &run)
{
  const ComputeParameters &compute = run.parameters.compute;
  const TimingTable::Scope scope(run.timing, "set-up: backend");
  run.chosen =
    make_backend(compute.backend, compute.n_threads, run.communicator, compute.communication);
}

/// Writes the best design so far, and adds it to the report.
void report_best(const Optimizer &optimizer,
                 RunOutput &output,
                 RunReport &report,
                 const BestDesign &best,
                 const bool last_follows)
{
  if (const auto place = best.place())
    {
      const IterationRecord &record = optimizer.method->history()[*place];
      report.set_best({record, output.write_best(record, best, last_follows)});
    }
}

/// Runs one design iteration. If its solves fail, the state before it is in the checkpoint.
IterationRecord iterate(RunContext &run, Optimizer &optimizer, RunOutput &output, RunReport &report)
{
  try
    {
      const LongStep step(run.log,
                          "iteration " + std::to_string(optimizer.method->history().size() + 1),
                          std::chrono::seconds(10));
      return optimizer.method->iterate();
    }
  catch (const SolverFailure &failure)
    {
      output.write_state(); // the run can resume from the state before this iteration
      report.renew_part_of_page();
      if (const auto place = largest_residuals(run, optimizer); place != nullptr)
        run.log.say_always(draw_place(run, *place));
      throw SolverFailure(deck_message(failure) + "\n  The state before this iteration is in " +
                          run.checkpoint_file() +
                          "; what subsection Solver says may change before --resume.");
    }
}
/// Runs design iterations until one ends the run. Throws SolverFailure, Error.
RunStatus optimize(RunContext &run, Optimizer &optimizer, RunOutput &output, RunReport &report)
{
  DesignMethod &method              = *optimizer.method;
  const unsigned int max_iterations = run.parameters.optimization.get().stopping.max_iterations;
  catch_stop_signals();
  run.log.say('\n' + screen_header(method.columns(), run.parameters.objective_name()) + '\n');
  SolveNotes notes(run, optimizer);
  TimeLeft time_left(max_iterations);
  BestDesign best(run, optimizer);
  const TimingTable clock;
  bool stopped           = false;
  const auto how_it_ends = [&]() {
    return stopped                                              ? RunStatus::interrupted
           : method.converged()                                 ? RunStatus::converged
           : method.history().back().iteration < max_iterations ? RunStatus::ended
                                                                : RunStatus::iteration_limit;
  };
  bool done        = method.finished(); // a restart may have nothing left to do
  RunStatus status = done ? how_it_ends() : RunStatus::running;
  std::string failure; // from the last solve to the tolerance
  if (!done)
    output.prepare();
  while (!done)
    {
      IterationRecord record;
      try
        {
          record = iterate(run, optimizer, output, report);
        }
      catch (const SolverFailure &)
        {
          report_best(optimizer, output, report, best, false);
          throw;
        }
      run.progress.design(record);
      std::string line = screen_line(method.columns(), record);
      if (const std::string text = time_left.after(record.iteration, clock.total()); !text.empty())
        line += "   " + text;
      run.log.say(line + '\n' + notes.after(record));
      best.update();
      stopped = run.communicator.any(requested != 0);
      done    = stopped || method.finished();
      status  = how_it_ends();
      // A stopped run leaves out this last solve: it resumes as if it had not been stopped.
      if (done && !stopped && optimizer.settings.control.accepts_limit)
        {
          try
            {
              method.complete_last();
              run.log.say("  the last design, solved to the tolerance:\n" +
                          screen_line(method.columns(), method.history().back()) + '\n');
            }
          catch (const SolverFailure &of_solver)
            {
              failure = deck_message(of_solver);
            }
        }
      if (done)
        {
          try
            {
              attempt_or_abort(run.communicator, [&] { report.look_for_part(); });
            }
          catch (const std::exception &)
            {
              // Results come first: the measures of the design will try again.
            }
          if (!report.fault_of_part().empty())
            output.leave_out_surface();
          report_best(optimizer, output, report, best, true);
        }
      output.write(done, [&] {
        if (!failure.empty())
          return;
        try
          {
            attempt_or_abort(run.communicator, [&] { report.make_part_of_page(); });
          }
        catch (const std::exception &)
          {
            // The end of the report will try again.
          }
      });
      if (!done)
        report.after_iteration();
    }
  if (!failure.empty())
    report.renew_part_of_page();
  else
    try
      {
        attempt_or_abort(run.communicator, [&] { report.measure_design(); });
      }
    catch (...) // for example, out of memory
      {
        try
          {
            output.finish();
          }
        catch (const std::exception &of_files) // the run ends with the first error
          {
            run.log.say_always(std::string("  NOTE: ") + of_files.what() + '\n');
          }
        throw;
      }
  output.finish();
  if (!failure.empty())
    throw SolverFailure(failure + "\n  The last design is in " + run.folder +
                        ", not solved to the tolerance.");
  return status;
}

int set_up_and_optimize(RunContext &run, const Resume wanted)
{
  const DeckParameters &parameters = run.parameters;

  // (1) Backend, structure, memory.
  start_backend(run);
  run.log.say(run.header());
  check_operator(parameters.compute, run.backend());
  check_best_design(parameters);
  check_output(parameters);
  std::optional<RunPlan> plan;
  {
    TimingTable::Scope scope(run.timing, "set-up: mesh and loads");
    const LongStep step(run.log, "making the mesh, its regions and loads");
    run.parameters.make_structure(run.communicator);
    plan.emplace(parameters, run.communicator);
    parameters.problem.check_well_posed(
      parameters.optimization.needs_loads(parameters.constraints));
    find_points(run.communicator, parameters.problem.mesh(), parameters.output.points);
    run.log.say(parameters.problem.describe() + remarks_on(*plan));
    plan->check_memory(run.chosen);
  }
  std::vector<RunSummary::SolidValue> solid_body = solve_solid_body(run, *plan);
  std::optional<Optimizer> optimizer;
  std::optional<RunOutput> output;
  {
    TimingTable::Scope scope(run.timing, "set-up: solver and filter", &run.backend());
    const LongStep step(run.log, "setting up the solver and the filter");
    // Read first: a bad one must not delete earlier results.
    std::optional<InitialDesign> initial_design;
    if (!OutputFolder::will_resume(run, wanted))
      initial_design.emplace(run);
    OutputFolder folder(run, wanted);
    optimizer.emplace(run, plan->settings);
    output.emplace(run, std::move(folder), *optimizer);
    remove_places_of_faults(run);
    for (const std::string &remark : optimizer->map.remarks())
      run.log.say("  NOTE: " + remark + '\n');
    if (initial_design)
      run.log.say(initial_design->note() + initial_design->begin_with(run, *optimizer));
  }

  watch_ranks(run.communicator, run.checkpoint_file());

  // (2) Design iterations, and the summary.
  run.progress.begin({parameters.deck.file_name(),
                      run.folder,
                      parameters.objective_name(),
                      parameters.problem.summary().n_cells,
                      static_cast<unsigned int>(optimizer->method->history().size()),
                      parameters.optimization.get().stopping.max_iterations,
                      optimizer->method->columns()});
  RunReport report(run, *optimizer, *output, std::move(solid_body));
  report.write(RunStatus::running);
  RunStatus status = RunStatus::failed;
  DesignVerdict verdict;
  try
    {
      status  = optimize(run, *optimizer, *output, report);
      verdict = report.end(status);
    }
  catch (const std::exception &error)
    {
      try
        {
          report.write(RunStatus::failed, deck_message(error));
        }
      catch (const std::exception &)
        {
          // A full disk or lack of memory, which may also be the first error.
        }
      throw;
    }

  const int exit_code = status == RunStatus::interrupted ? 130 : verdict.falls_short ? 3 : 0;
  run.progress.end(status, exit_code, run.pictures);
  return exit_code;
}

void check(RunContext &run, const bool as_json, const bool solid)
{
  remove_places_of_faults(run);
  const DeckParameters &parameters = run.parameters;
  run.log.say(strut_version() + ", " + library_versions() + "\nValidating " +
              parameters.deck.file_name() + '\n');
  std::optional<RunPlan> plan;
  {
    const LongStep step(run.log, "making the mesh, its regions and loads");
    run.parameters.make_structure(run.communicator);
    plan.emplace(parameters, run.communicator);
  }
  run.log.say(parameters.problem.describe() + remarks_on(*plan));
  RunPreview preview;
  {
    const LongStep step(run.log, "drawing the problem");
    preview = write_preview(run);
  }
  run.log.say(preview.text);
  parameters.problem.check_well_posed(parameters.optimization.needs_loads(parameters.constraints));
  find_points(run.communicator, parameters.problem.mesh(), parameters.output.points);
  run.log.say(plan->check_method());
  run.log.say(InitialDesign(run).note());
  check_best_design(parameters);
  check_output(parameters);
  std::vector<RunSummary::SolidValue> solid_body;
  if (solid)
    {
      start_backend(run);
      plan->check_memory(run.chosen);
      solid_body = solve_solid_body(run, *plan);
      analyse_solid_body(run, *plan);
    }
  RunFacts facts(*plan, run.log.notes(), preview.files);
  facts.solid_body = std::move(solid_body);
  run.log.say(describe_estimates(facts) + '\n');
  if (as_json && run.communicator.rank() == 0)
    std::cout << to_json(facts);
  run.log.say_always(
    "The deck is valid: its entries, mesh, regions, supports and loads.\n"
    "Not checked: whether the operator suits the backend, whether the solver converges, whether a GPU and the memory are there when "
    "it runs.\n");
}
} // namespace

int run_deck(RunContext &run, const Resume wanted)
{
  try
    {
      return drawing_faults(run, [&] { return set_up_and_optimize(run, wanted); });
    }
  catch (const std::exception &error)
    {
      run.progress.end(RunStatus::failed, 1, run.pictures, deck_message(error));
      throw;
    }
}

void validate_deck(RunContext &run, const bool as_json, const bool solid)
{
  drawing_faults(run, [&] { check(run, as_json, solid); });
}
} // namespace strut
