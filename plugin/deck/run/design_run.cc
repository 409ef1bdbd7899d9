// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/design_run.h"

#include <deal.II/base/utilities.h>

#include <strut/backend/timing.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/output/long_step.h"
#include "plugin/deck/output/time_left.h"
#include "plugin/deck/parameters/deck_remedies.h"
#include "plugin/deck/problem/parted_by_void.h"
#include "plugin/deck/run/design_run_loop.h"
#include "plugin/deck/run/filter_radius.h"
#include "plugin/deck/run/require_memory.h"
#include "plugin/deck/run/slow_solves.h"
#include "plugin/deck/run/versions.h"
#include "source/optimization/greyness.h"

namespace strut::plugin
{
namespace
{
volatile std::sig_atomic_t requested = 0;

void request_stop(const int signal)
{
  requested = 1;
  // A terminal that is closed sends it twice: its shell does, and the system. With the terminal the
  // program that reads the log may be gone: results come first.
  const bool terminal_is_gone = signal == SIGHUP;
  std::signal(signal, terminal_is_gone ? SIG_IGN : SIG_DFL);
  if (terminal_is_gone)
    std::signal(SIGPIPE, SIG_IGN);
}

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 only asks the run to stop after its iteration;
/// the second ends the program at once, except SIGHUP, which closed terminals send twice. Under nohup
/// SIGHUP does nothing.
void catch_stop_signals()
{
  std::signal(SIGINT, &request_stop);
  std::signal(SIGTERM, &request_stop);
  // mpirun hands this one on and waits; after SIGINT it gives its ranks a second only
  std::signal(SIGUSR1, &request_stop);
  // nohup has it ignored, and means it
  if (std::signal(SIGHUP, &request_stop) == SIG_IGN)
    std::signal(SIGHUP, SIG_IGN);
}

/// Whether such a signal has come to this rank.
bool stop_requested()
{
  return requested != 0;
}

/// The most memory that this process has ever had resident, in bytes.
double peak_host_memory()
{
  dealii::Utilities::System::MemoryStats memory; // in kilobytes
  dealii::Utilities::System::get_memory_stats(memory);
  return 1024. * static_cast<double>(memory.VmHWM);
}
} // namespace

DesignRun::DesignRun(const DeckChoice &deck, const bool quiet, MPI_Comm communicator)
  : communicator_(communicator)
  , settings_(deck.settings)
  , parameters_(deck.file, deck.settings)
  , output_directory_(parameters_.output.directory.empty() ? "output/" + parameters_.base_name
                                                           : parameters_.output.directory)
  , log_(std::cout, Communicator(communicator).rank() == 0, quiet)
{}

int DesignRun::run(const Resume wanted)
{
  const Communicator communicator(communicator_);
  TimingTable timing;

  // (1) Backend, structure, memory.
  {
    TimingTable::Scope scope(timing, "set-up: backend");
    backend_ =
      make_backend(parameters_.compute.backend, parameters_.compute.n_threads, communicator);
  }
  {
    std::ostringstream header;
    print_header(header);
    log_.say(header.str());
  }
  check_operator();
  std::unique_ptr<Loop> loop;
  {
    TimingTable::Scope scope(timing, "set-up: mesh and loads");
    const LongStep step(log_, "making the mesh, its regions and loads");
    set_up_problem();
    parameters_.problem.check_well_posed();
    log_.say(parameters_.problem.describe() + remarks());
    check_memory();
  }
  {
    TimingTable::Scope scope(timing, "set-up: solver, filter", backend_.backend.get());
    const LongStep step(log_, "setting up the solver and the filter");
    const bool resuming = prepare_output(wanted);
    loop                = std::make_unique<Loop>(*this, communicator, timing);
    if (resuming)
      log_.say(resume(*loop));
    resumed_              = resuming;
    loop->first_iteration = static_cast<unsigned int>(loop->method().history().size()) + 1;
    write_parameters(); // not before the checkpoint is known to belong to this deck
  }

  // (2) Design iterations.
  write_summary(*loop, timing, RunStatus::running, peak_host_memory());
  RunStatus status = RunStatus::failed;
  try
    {
      status = optimize(*loop, timing);
    }
  catch (const std::exception &error)
    {
      try
        {
          write_summary(*loop, timing, status, peak_host_memory(), deck_message(error));
        }
      catch (const Error &)
        {} // a full disk, which may be the first error too
      throw;
    }

  // (3) What it was.
  if (loop->first_iteration <= loop->method().history().back().iteration) // there is a design
    {
      const TimingTable::Scope scope(timing, "output: pieces");
      pieces_ = find_pieces(*loop);
      if (method_entry().makes_grey)
        greyness_ =
          greyness(communicator, parameters_.problem.mesh(), loop->method().analysed_densities());
    }
  verdict_ = loop->method().verdict();
  print_end(*loop, timing, status);
  write_summary(*loop, timing, status, communicator.max(peak_host_memory()));
  return status == RunStatus::interrupted ? 130 : verdict_.falls_short ? 3 : 0;
}

RunStatus DesignRun::optimize(Loop &loop, TimingTable &timing)
{
  const Communicator communicator(communicator_);
  catch_stop_signals();
  log_.say('\n' + screen_header(loop.method().columns(), objective_name()) + '\n');
  TimeLeft time_left(parameters_.optimization.get().stopping.max_iterations);
  const TimingTable clock;
  bool stopped           = false;
  const auto how_it_ends = [&]() {
    return stopped                     ? RunStatus::interrupted
           : loop.method().converged() ? RunStatus::converged
           : loop.method().history().back().iteration <
               parameters_.optimization.get().stopping.max_iterations
             ? RunStatus::ended
             : RunStatus::iteration_limit;
  };
  bool done                = loop.method().finished(); // a restart may have nothing left to do
  RunStatus status         = done ? how_it_ends() : RunStatus::running;
  bool told_of_slow_solves = false, told_of_lost_displacements = false;
  std::string failure; // of the last solve to the tolerance
  while (!done)
    {
      IterationRecord record;
      try
        {
          const LongStep step(log_,
                              "iteration " + std::to_string(loop.method().history().size() + 1),
                              std::chrono::seconds(10));
          record = loop.method().iterate();
        }
      catch (const SolverFailure &failure)
        {
          // nothing is lost: the state before this iteration can be gone on from
          try
            {
              loop.writer.wait();
            }
          catch (const Error &error)
            {
              log_.say(std::string("  NOTE: ") + error.what() + '\n');
            }
          try
            {
              write_checkpoint(loop, displacements(loop));
            }
          catch (const Error &)
            {} // of the checkpoint before
          checkpoint(loop).wait();
          throw SolverFailure(deck_message(failure) + "\n  The state before this iteration is in " +
                              checkpoint_file() +
                              "; what subsection Solver says may change before --resume.");
        }
      std::string line = screen_line(loop.method().columns(), record);
      if (const std::string text = time_left.after(record.iteration, clock.total()); !text.empty())
        line += "   " + text;
      log_.say(line + '\n');
      const std::string of_solver = loop.state->take_warnings();
      const std::string of_method = loop.method().take_warnings();
      for (const std::string &warnings : {of_solver, of_method})
        if (!warnings.empty())
          log_.say("  NOTE: " + warnings + '\n');
      // not of another preconditioner, nor with the solves of refused designs
      told_of_slow_solves = told_of_slow_solves || !of_solver.empty();
      if (!told_of_slow_solves && of_method.empty())
        if (const std::string note = slow_solves(record); !note.empty())
          {
            log_.say(note);
            told_of_slow_solves = true;
          }
      if (!told_of_lost_displacements && accepts_limit() && record.residual >= 1.)
        {
          log_.say(
            "  NOTE: the displacements are further from equilibrium than none at all: the design moves faster "
            "than its solves follow, and what it becomes may be worthless.\n    Raise 'Maximum iterations' in "
            "subsection Solver" +
            std::string(
              preconditioner_.name == "multigrid" ? "" : ", or take 'Preconditioner = multigrid'") +
            (parameters_.optimization.method == "simp" ? ", or lower 'Move limit'.\n" : ".\n"));
          told_of_lost_displacements = true;
        }
      stopped = communicator.any(stop_requested());
      done    = stopped || loop.method().finished();
      status  = how_it_ends();
      if (done && !stopped && accepts_limit()) // one that was stopped goes on as if it had not been
        {
          try
            {
              loop.method().complete_last();
              log_.say("  the last design, solved to the tolerance:\n" +
                       screen_line(loop.method().columns(), loop.method().history().back()) + '\n');
            }
          catch (const SolverFailure &of_solver)
            {
              failure = deck_message(of_solver);
            }
        }

      write_outputs(loop, timing, done);
      if (!failure.empty())
        {
          finish_outputs(loop, timing);
          throw SolverFailure(failure + "\n  The last design is in " + output_directory_ +
                              ", not solved to the tolerance.");
        }
    }
  return status;
}

void DesignRun::set_up_problem()
{
  const std::string &wanted = parameters_.solver.preconditioner;
  parameters_.problem.setup(communicator_,
                            wanted == "auto" || find_preconditioner(wanted).needs_levels);
  try
    {
      for (const LoadCase &load_case : parameters_.problem.load_cases())
        check_load_case(method_entry(), load_case);
    }
  catch (const Error &error)
    {
      throw EntryError({"Optimization"}, "Method", error.reason);
    }
  if (parameters_.optimization.uses_filter_radius())
    check_filter_radius(parameters_.optimization.filter_radius, parameters_.problem.summary());
  preconditioner_ = choose_for_deck(wanted,
                                    parameters_.compute.precision,
                                    Communicator(communicator_),
                                    structure());
  check_for_deck(parameters_.solver.get(parameters_.compute, preconditioner_.name).preconditioner,
                 Communicator(communicator_),
                 structure());
}

OptimizationProblem DesignRun::make_problem(const std::vector<std::string> &load_cases) const
{
  if (!method_entry().solves_any_problem)
    return {};
  return parameters_.optimization.make_problem(
    parameters_.constraints, *backend_.backend, parameters_.problem, communicator_, load_cases);
}

std::string DesignRun::slow_solves(const IterationRecord &record) const
{
  const Communicator communicator(communicator_);
  const Problem &problem = parameters_.problem;
  // nearly incompressible material has its own note
  if (accepts_limit() || problem.locks())
    return "";
  return describe_slow_solves(
    record.solver_iterations / std::max(1u, record.n_solves),
    preconditioner_.name,
    parameters_.solver.get(parameters_.compute, preconditioner_.name).preconditioner.values,
    communicator.size() == 1 && problem.mesh().dependent.empty());
}

Structure DesignRun::structure() const
{
  const Problem &problem = parameters_.problem;
  return {problem.mesh(), problem.material(), problem.hierarchy()};
}

void DesignRun::check_volume() const
{
  const Problem &problem = parameters_.problem;
  const auto backend     = make_cpu_backend(1);
  DesignCheck design{*backend,
                     Communicator(communicator_),
                     problem.mesh(),
                     {},
                     parameters_.optimization.get(),
                     problem.mirrors()};
  for (const LoadCase &load_case : problem.load_cases())
    design.load_cases.push_back(&load_case);
  parameters_.optimization.check_method(design);
  if (method_entry().solves_any_problem)
    {
      std::vector<std::string> names;
      for (const LoadCase &load_case : problem.load_cases())
        names.push_back(load_case.name);
      parameters_.optimization.make_problem(
        parameters_.constraints, *backend, problem, communicator_, names);
    }
  if (parameters_.optimization.excludes_void())
    if (const auto notes =
          notes_on_parted_loads(problem.mesh(), problem.load_cases(), communicator_);
        !notes.empty())
      throw EntryError(
        {"Optimization"},
        "Method",
        "The method '" + parameters_.optimization.method +
          "' leaves the void out of the system, and void regions part a load from what is held: see the "
          "NOTE above.\nLeave a way of elements that share faces, or keep the void in the system.");
}

/// "; Coarse operators = galerkin": those of the preconditioner's choices that are not the defaults.
std::string DesignRun::other_values() const
{
  const ParameterValues values =
    parameters_.solver.get(parameters_.compute, preconditioner_.name).preconditioner.values;
  std::string text;
  for (const Parameter &parameter : find_preconditioner(preconditioner_.name).parameters)
    if (const auto value = values.find(parameter.name);
        value != values.end() && value->second.text() != parameter.default_value &&
        !parameter.choices.empty())
      text += "; " + parameter.name + " = " + value->second.text();
  return text;
}

std::string DesignRun::remarks() const
{
  std::ostringstream text;
  const Communicator communicator(communicator_);
  text << "  preconditioner: " << preconditioner_.text << other_values() << '\n';
  if (parameters_.optimization.method != "simp")
    text << "  method: " << parameters_.optimization.method << ": " << method_entry().summary
         << '\n';
  const double radius = parameters_.optimization.filter_radius;
  if (parameters_.optimization.uses_filter_radius() && radius > 0.)
    text << describe_filter_radius(radius, parameters_.problem.summary());
  const std::vector<double> &values = parameters_.problem.mesh().constrained_values;
  if (parameters_.problem.load_cases().size() > 1)
    text << "  load cases: " << parameters_.problem.load_cases().size() << "; the column '"
         << objective_name()
         << (parameters_.optimization.minimises_worst_case() ? "' is the largest of weight times "
                                                             : "' is the sum of weight times ")
         << objective_name() << " over them, 'PCG iter' the sum of their iterations\n";
  text << parameters_.optimization.describe_problem(parameters_.constraints);
  if (parameters_.optimization.objective == "compliance" &&
      communicator.any(
        std::any_of(values.begin(), values.end(), [](const double v) { return v != 0.; })))
    text << "  prescribed displacements: the column 'compliance' is 2 f.u - u.K u, which falls as "
            "the structure gets stiffer, and is negative without loads\n";
  if (accepts_limit())
    text
      << "  NOTE: solves end after " << parameters_.solver.control().max_iterations
      << " iterations: the column 'objective' is 2 f.u - u.K u of displacements on their way, and no compliance "
         "until the last design, which is solved to the tolerance\n";
  if (parameters_.compute.precision == Precision::fp32)
    text << "  NOTE: in single precision the residual of slender structures stays above small "
            "tolerances (doc/verification.md)\n";
  return text.str();
}

void DesignRun::validate()
{
  log_.say(strut_version() + ", " + library_versions() + "\nValidating " +
           parameters_.deck.file_name() + '\n');
  {
    const LongStep step(log_, "making the mesh, its regions and loads");
    set_up_problem();
  }
  log_.say(parameters_.problem.describe() + remarks());
  parameters_.problem.check_well_posed();
  check_volume();
  std::ostringstream memory;
  print_memory(memory);
  print_disk(memory);
  log_.say(memory.str());
  std::ostringstream time;
  print_time(time);
  log_.say(time.str() + '\n');
  log_.say_in_any_case(
    "The deck is valid: its entries, mesh, regions, supports and loads.\n"
    "Not checked: whether the operator suits the backend, whether the solver converges, whether a GPU and the memory are there when "
    "it runs, whether the output directory can be written.\n");
}

void DesignRun::print_header(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  out << strut_version() << ", " << library_versions() << '\n'
      << "  deck       " << parameters_.deck.file_name() << '\n'
      << "  backend    " << backend_.backend->name() << " (" << backend_.reason << ")\n"
      << "  device     " << backend_.backend->device() << '\n'
      << "  ranks      " << communicator.size() << '\n'
      << "  precision  " << to_string(parameters_.compute.precision) << '\n'
      << "  operator   " << parameters_.compute.strategy << '\n';
  for (const std::string &library : parameters_.compute.libraries)
    out << "  library    " << library << '\n';
  for (const Deck::Setting &setting : settings_)
    out << "  " << setting.option << std::string(11 - setting.option.size(), ' ') << setting.text
        << '\n';
}
} // namespace strut::plugin
