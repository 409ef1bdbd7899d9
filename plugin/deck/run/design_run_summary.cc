// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/text.h>
#include <strut/version.h>

#include <deal.II/base/config.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/greyness_text.h"
#include "plugin/deck/output/piece_text.h"
#include "plugin/deck/run/design_run_loop.h"
#include "plugin/deck/run/versions.h"
#include "source/optimization/load_nodes.h"
#include "source/optimization/two_cycle.h"

namespace strut::plugin
{
namespace
{
/// "2024-05-31T12:00:00Z"
std::string date()
{
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}
/// What to try where designs alternate between two.
std::string against_two_cycles(const DesignMethodEntry &method)
{
  const auto &[name, value] = method.steadied_by;
  if (name.empty())
    return "Try a smaller move limit, a larger filter radius, or a less sharp projection.";
  return value.empty() ? "Try a smaller '" + name + "'." : "Try '" + name + " = " + value + "'.";
}
} // namespace

std::string DesignRun::objective_name() const
{
  return accepts_limit() ? "objective" : parameters_.optimization.objective;
}

std::vector<DesignPiece> DesignRun::find_pieces(const Loop &loop) const
{
  const Communicator communicator(communicator_);
  const ElementMesh &mesh = parameters_.problem.mesh();
  LoadNodes nodes(communicator, mesh, parameters_.problem.mirrors());
  bool weighs = false;
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    {
      nodes.add(loop.state->load_case(l));
      weighs = weighs || loop.state->load_case(l).has_weight;
    }
  return find_design_pieces(
    *backend_.backend, communicator, mesh, loop.method().analysed_densities(), nodes, weighs);
}

void DesignRun::print_end(const Loop &loop, const TimingTable &timing, const RunStatus status)
{
  const Communicator communicator(communicator_);
  const auto &history      = loop.method().history();
  double solver_iterations = 0;
  double largest_residual  = 0;
  for (const IterationRecord &record : history)
    {
      solver_iterations += record.solver_iterations;
      largest_residual = std::max(largest_residual, record.residual);
    }

  std::ostringstream end;
  end.precision(12);
  end << (loop.first_iteration > history.back().iteration ? "Nothing left to do"
          : status == RunStatus::interrupted              ? "Stopped by a signal"
          : status == RunStatus::converged                ? "Converged"
          : status == RunStatus::ended                    ? "Ended"
                                                          : "Limit of iterations reached")
      << " after iteration " << history.back().iteration << ": " << objective_name() << ' '
      << history.back().objective << ", volume fraction " << history.back().volume_fraction << '\n';
  log_.say("\n");
  log_.say_in_any_case(end.str());

  std::ostringstream text;
  if (!verdict_.text.empty())
    text << "WARNING: " << verdict_.text << '\n';
  if (ends_in_two_cycle(history))
    text << "WARNING: the last designs alternate between two, with objectives "
         << history[history.size() - 2].objective << " and " << history.back().objective << ". "
         << against_two_cycles(method_entry()) << '\n';
  if (const std::string note = loop.method().note(); !note.empty())
    text << "NOTE: " << note << '\n';
  if (greyness_)
    text << describe_greyness(*greyness_, history.back().iteration);
  if (pieces_)
    text << describe_pieces(*pieces_);
  text << "PCG iterations per load case: "
       << solver_iterations / (history.size() * loop.state->n_load_cases()) << " on average\n"
       << "Largest residual: " << largest_residual
       << (largest_residual > parameters_.solver.control().tolerance
             ? accepts_limit() ? ", above the tolerance: the limit of iterations is accepted"
                               : ", above the tolerance: the precision gives no smaller one"
             : "")
       << '\n'
       << "Memory of the backend: " << format_bytes(backend_.backend->memory().peak()) << " at most"
       << (communicator.size() > 1 ? " on rank 0" : "") << "\n\n";
  timing.print(text);
  if (communicator.rank() == 0)
    write_file_atomically(output_directory_ + "/timing.csv", timing.csv());
  text << "\nResults in " << output_directory_ << ": " << parameters_.base_name
       << ".pvd (ParaView), "
       << (parameters_.output.surface
             ? std::filesystem::path(loop.writer.file_of(history.back().iteration, ".stl"))
                   .filename()
                   .string() +
                 " (surface), "
             : "")
       << "history.csv, summary.json, timing.csv, parameters.prm, checkpoint.strut\n";
  if (status == RunStatus::interrupted)
    text << "Go on with: strut --resume" << as_command_line(settings_) << ' '
         << parameters_.deck.file_name() << '\n';
  log_.say(text.str());
}

void DesignRun::write_summary(const Loop &loop,
                              const TimingTable &timing,
                              const RunStatus status,
                              const double host_memory,
                              const std::string &error) const
{
  const Communicator communicator(communicator_);
  if (communicator.rank() != 0)
    return;
  RunSummary summary;
  summary.label = {{"strut", STRUT_VERSION},
                   {"commit", strut_commit()},
                   {"deal.II", DEAL_II_PACKAGE_VERSION},
                   {"libraries", library_versions()},
                   {"backend", backend_.backend->name()},
                   {"device", backend_.backend->device()},
                   {"precision", to_string(parameters_.compute.precision)},
                   {"operator", parameters_.compute.strategy},
                   {"preconditioner", preconditioner_.name},
                   {"date", date()}};
  summary.deck  = parameters_.deck.file_name();
  for (const Deck::Setting &setting : settings_)
    summary.options.push_back(setting.option + ' ' + setting.text);
  summary.resumed = resumed_;

  summary.n_elements = parameters_.problem.summary().n_cells;
  summary.n_nodes    = parameters_.problem.summary().n_nodes;
  summary.n_ranks    = static_cast<unsigned int>(communicator.size());
  summary.n_threads  = backend_.n_threads;

  summary.objective = objective_name();
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    summary.load_cases.push_back({loop.state->load_case(l).name, loop.state->load_case(l).weight});
  summary.volume_fraction = parameters_.optimization.get().volume_fraction;

  summary.status         = status;
  summary.error          = error;
  summary.history        = loop.method().history();
  summary.columns        = loop.method().columns();
  summary.greyness       = greyness_;
  summary.pieces         = pieces_;
  summary.seconds        = timing.by_section();
  summary.backend_memory = backend_.backend->memory().peak();
  summary.host_memory    = static_cast<std::size_t>(host_memory);
  summary.notes          = log_.notes();
  write_file_atomically(output_directory_ + "/summary.json", to_json(summary));
}
} // namespace strut::plugin
