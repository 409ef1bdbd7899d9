// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/application.h"

#include <deal.II/base/conditional_ostream.h>

#include <strut/base/exceptions.h>
#include <strut/base/timing.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "plugin/driver/application_loop.h"
#include "plugin/driver/memory_estimate.h"
#include "plugin/driver/signals.h"
#include "plugin/driver/versions.h"
#include "plugin/output/atomic_file.h"
#include "plugin/output/history.h"

namespace strut::plugin
{
namespace
{
/// "prm/cantilever.prm" -> "cantilever".
std::string stem(const std::string &file)
{
  const std::size_t slash = file.rfind('/');
  const std::string name  = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t dot   = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

} // namespace

Application::Application(const std::string &deck_file, MPI_Comm communicator)
  : communicator_(communicator), deck_(Deck::read(deck_file)), problem_(deck_)
{
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  deck_.apply(parameters);
  dealii::ParameterAcceptor::parse_all_parameters(parameters);

  base_name_        = stem(deck_file);
  output_directory_ = output_.directory.empty() ? "output/" + base_name_ : output_.directory;

  // values that can be judged without a mesh
  optimization_.get();
  solver_.get(compute_.strategy);
}

std::string Application::explain(const EntryError &error) const
{
  return deck_.explain(error, &dealii::ParameterAcceptor::prm);
}

int Application::run(const bool resuming)
{
  const Communicator communicator(communicator_);
  dealii::ConditionalOStream screen(std::cout, communicator.rank() == 0);
  TimingTable timing;

  // (1) Backend, structure, memory.
  backend_ = make_backend(compute_.backend, compute_.n_threads, communicator);
  {
    std::ostringstream header;
    print_header(header);
    screen << header.str() << std::flush;
  }
  check_operator();
  std::unique_ptr<Loop> loop;
  {
    TimingTable::Scope scope(timing, "set-up", backend_.backend.get());
    problem_.setup(communicator_);
    problem_.check_well_posed();
    screen << problem_.describe() << remarks() << std::flush;
    check_memory();
    prepare_output(resuming);
    loop = std::make_unique<Loop>(*this, communicator, timing);
    if (resuming)
      {
        resume(*loop);
        screen << "  going on after iteration " << loop->simp.history().size() << " of "
               << checkpoint_file() << '\n';
      }
    write_parameters(); // not before the checkpoint is known to belong to this deck
  }

  // (2) Design iterations.
  catch_stop_signals();
  screen << '\n' << screen_header() << std::endl;
  bool stopped             = false;
  bool done                = loop->simp.finished(); // a restart may have nothing left to do
  const bool nothing_to_do = done;
  while (!done)
    {
      IterationRecord record;
      try
        {
          record = loop->simp.iterate();
        }
      catch (const SolverFailure &failure)
        {
          // nothing is lost: the state before this iteration can be gone on from
          write_checkpoint(*loop);
          throw SolverFailure(std::string(failure.what()) +
                              "\n  The state before this iteration is in " + checkpoint_file() +
                              "; 'Solver / Maximum iterations' may change before --resume.");
        }
      screen << screen_line(record) << std::endl;
      stopped = communicator.any(stop_requested());
      done    = stopped || loop->simp.finished();

      TimingTable::Scope scope(timing, "output", backend_.backend.get());
      if (communicator.rank() == 0)
        write_history(output_directory_ + "/history.csv", loop->simp.history());
      const auto due = [&](const unsigned int every) {
        return done || (every > 0 && record.iteration % every == 0);
      };
      if (due(output_.results_every))
        write_results(*loop);
      if (due(output_.checkpoint_every))
        write_checkpoint(*loop);
    }

  // (3) What it was.
  std::ostringstream summary;
  const auto &history      = loop->simp.history();
  double solver_iterations = 0;
  double largest_residual  = 0;
  for (const IterationRecord &record : history)
    {
      solver_iterations += record.solver_iterations;
      largest_residual = std::max(largest_residual, record.residual);
    }
  summary.precision(12);
  summary << '\n'
          << (nothing_to_do            ? "Nothing left to do"
              : stopped                ? "Stopped by a signal"
              : loop->simp.converged() ? "Converged"
                                       : "Limit of iterations reached")
          << " after iteration " << history.back().iteration << ": compliance "
          << history.back().compliance << ", volume fraction " << history.back().volume_fraction
          << '\n';
  summary.precision(6);
  summary << "PCG iterations per solve: "
          << solver_iterations / (history.size() * loop->state->n_load_cases()) << " on average\n"
          << "Largest residual: " << largest_residual
          << (largest_residual > solver_.get(compute_.strategy).control.tolerance
                ? ", above the tolerance: the precision gives no smaller one"
                : "")
          << '\n'
          << "Memory of the backend: " << format_bytes(backend_.backend->memory().peak())
          << " at most" << (communicator.size() > 1 ? " on rank 0" : "") << "\n\n";
  timing.print(summary);
  summary << "\nResults in " << output_directory_ << ": " << base_name_
          << ".pvd (ParaView), history.csv, parameters.prm, checkpoint.strut\n";
  if (stopped)
    summary << "Go on with: strut --resume " << deck_.file_name() << '\n';
  screen << summary.str() << std::flush;
  return stopped ? 130 : 0;
}

void Application::prepare_output(const bool resuming) const
{
  const std::vector<std::string> path = {"Output"};
  const std::string entry             = "Output directory";
  const Communicator communicator(communicator_);
  if (resuming &&
      communicator.any(communicator.rank() == 0 && !std::filesystem::exists(checkpoint_file())))
    throw EntryError(
      path,
      entry,
      "There is no checkpoint " + checkpoint_file() +
        " to go on from.\nStart without --resume, or set the output directory of the "
        "earlier run.");
  try
    {
      create_folder(output_directory_);
    }
  catch (const Error &error)
    {
      throw EntryError(path, entry, error.what());
    }
  // A run from the beginning must not cost an earlier one its last state.
  if (!resuming && communicator.rank() == 0 && std::filesystem::exists(checkpoint_file()))
    {
      const std::string kept = output_directory_ + "/checkpoint.previous.strut";
      std::filesystem::rename(checkpoint_file(), kept);
      std::cout << "  NOTE: " << output_directory_ << " holds an earlier run, whose results are "
                << "replaced; its checkpoint is kept as " << kept << std::endl;
    }
}

void Application::check_volume() const
{
  const SimpSettings settings = optimization_.get();
  VolumeConstraint::build(Communicator(communicator_),
                          problem_.mesh(),
                          settings.volume_fraction,
                          settings.criteria.minimum_density,
                          settings.count_non_design);
}

std::string Application::remarks() const
{
  std::ostringstream text;
  const Communicator communicator(communicator_);
  const double edge   = problem_.summary().smallest_cell;
  const double radius = optimization_.filter_radius;
  if (optimization_.filter != "none" && radius > 0.)
    {
      double shortest = problem_.summary().box.side_length(0);
      for (const unsigned int d : {1, 2})
        shortest = std::min(shortest, problem_.summary().box.side_length(d));
      text << "  filter radius: " << radius << ", " << radius / edge
           << " edges of the smallest element\n";
      if (radius < edge)
        text << "  NOTE: a radius below one element filters nothing\n";
      else if (radius > 0.5 * shortest)
        text << "  NOTE: the radius is more than half the shortest side of the mesh (" << shortest
             << "); designs will be blurred\n";
    }
  const std::vector<double> &values = problem_.mesh().constrained_values;
  if (communicator.any(
        std::any_of(values.begin(), values.end(), [](const double v) { return v != 0.; })))
    text << "  prescribed displacements: the column 'compliance' is 2 f.u - u.K u, which falls as "
            "the structure gets stiffer, and is negative without loads\n";
  if (compute_.precision == "float")
    text << "  NOTE: rounded to single precision, element matrices have a little stiffness against "
            "rigid motion; the error grows with slenderness (doc/verification.md)\n";
  return text.str();
}

void Application::validate()
{
  const Communicator communicator(communicator_);
  dealii::ConditionalOStream screen(std::cout, communicator.rank() == 0);
  screen << strut_version() << ", " << library_versions() << "\nValidating " << deck_.file_name()
         << '\n';
  problem_.setup(communicator_);
  screen << problem_.describe() << remarks() << std::flush;
  problem_.check_well_posed();
  check_volume();
  std::ostringstream memory;
  print_memory(memory);
  screen
    << memory.str()
    << "\nThe deck is valid: its entries, mesh, regions, supports and loads.\n"
       "Not checked: whether the operator suits the backend, whether the solver converges, whether a GPU and the memory are there when "
       "it runs, whether the output directory can be written.\n";
}

void Application::print_header(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  out << strut_version() << ", " << library_versions() << '\n'
      << "  deck       " << deck_.file_name() << '\n'
      << "  backend    " << backend_.backend->name() << " (" << backend_.reason << ")\n"
      << "  device     " << backend_.backend->device() << '\n'
      << "  ranks      " << communicator.size() << '\n'
      << "  precision  " << compute_.precision << '\n'
      << "  operator   " << compute_.strategy << '\n';
}
} // namespace strut::plugin
