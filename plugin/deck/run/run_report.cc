// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_report.h"

#include <deal.II/base/config.h>
#include <deal.II/base/utilities.h>

#include <strut/version.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/output/earlier_results.h"
#include "plugin/deck/output/piece_text.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/part/part_file.h"
#include "plugin/deck/run/faulty_place.h"
#include "plugin/deck/run/nodal_stresses.h"
#include "plugin/deck/run/reactions.h"
#include "plugin/deck/run/versions.h"
#include "source/base/text.h"
#include "source/optimization/greyness.h"
#include "source/optimization/two_cycle.h"
#include "source/surface/weld.h"

namespace strut
{
namespace
{
/// Returns the present time as "2024-05-31T12:00:00Z".
std::string date()
{
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// Names of the solid regions with their elements. Collective.
std::vector<std::pair<std::string, std::vector<LocalIndex>>> solid_regions(const Problem &problem)
{
  const std::string kind               = "region ";
  const std::vector<DesignFlag> &flags = problem.mesh().flags;
  std::vector<std::pair<std::string, std::vector<LocalIndex>>> regions;
  for (Problem::Selection &selection : problem.selections())
    if (selection.name.rfind(kind, 0) == 0)
      {
        std::vector<LocalIndex> &elements = selection.members;
        elements.erase(std::remove_if(elements.begin(),
                                      elements.end(),
                                      [&](const LocalIndex e) {
                                        return flags[e] != DesignFlag::solid;
                                      }),
                       elements.end());
        regions.emplace_back(selection.name.substr(kind.size()), std::move(elements));
      }
  return regions;
}

/// Advice if designs alternate between two.
std::string against_two_cycles(const DesignMethodEntry &method)
{
  const auto &[name, value] = method.steadied_by;
  if (name.empty())
    return "Try a smaller move limit, a larger filter radius, or a less sharp projection.";
  return value.empty() ? "Try a smaller '" + name + "'." : "Try '" + name + " = " + value + "'.";
}

/// Advice if the last design breaks a constraint.
std::string against_broken_limits(const OptimizationSettings &settings)
{
  const bool is_global = settings.update == "gcmma";
  for (const std::string smaller : {"0.05", "0.02"})
    if (settings.criteria.move_limit > std::stod(smaller))
      return ". Smaller steps may keep it: 'Move limit = " + smaller + "'" +
             (is_global ? "" : ", or 'Update = gcmma'");
  return std::string(". More iterations may keep it") + (is_global ? "" : ", or 'Update = gcmma'");
}

/// A line for the log with the greyness() of a design, and a NOTE if it is large after enough
/// iterations.
/// @param projects  whether the maps of the deck end with a projection
std::string
describe_greyness(const double greyness, const unsigned int iteration, const bool projects)
{
  constexpr double much         = 0.2; // from here, a threshold removes members that carry load
  constexpr unsigned int enough = 20;  // iterations before which all designs are grey
  std::ostringstream text;
  text << "Grey (measure of non-discreteness): " << std::round(1000. * greyness) / 10. << " %\n";
  if (greyness >= much && iteration >= enough)
    text
      << "NOTE: much of the design is grey, neither solid nor void, and less stiff than its volume of solid would\n"
         "  be: members thinner than twice the filter radius come out so. A surface at 0.5 may cut them. Take\n"
      << (projects
            ? "  a smaller 'Filter radius', or more iterations if the projection is still changing.\n"
            : "  'Filter = projection', or a smaller 'Filter radius'.\n");
  return text.str();
}
} // namespace

RunReport::RunReport(RunContext &run,
                     const Optimizer &optimizer,
                     const RunOutput &output,
                     std::vector<RunSummary::SolidValue> solid_body)
  : run_(run)
  , optimizer_(optimizer)
  , output_(output)
  , first_iteration_(static_cast<unsigned int>(optimizer.method->history().size()) + 1)
  , page_(run, optimizer)
{
  const DeckParameters &parameters = run.parameters;
  // Read first, since the summary of a run that failed to write its part is written again.
  if (!has_new_design() && optimizer.method->finished() && run.communicator.rank() == 0)
    summary_.shortfall = shortfall_of_last_run(run.folder);
  summary_.deck = parameters.deck.file_name();
  for (const Deck::Setting &setting : parameters.settings)
    summary_.options.push_back(setting.option + ' ' + setting.text);
  summary_.resumed      = output.resumed();
  summary_.n_elements   = parameters.problem.summary().n_cells;
  summary_.n_nodes      = parameters.problem.summary().n_nodes;
  summary_.element_type = parameters.problem.mesh().type.name;
  summary_.n_ranks      = static_cast<unsigned int>(run.communicator.size());
  summary_.n_threads    = run.chosen.n_threads;
  summary_.objective    = parameters.objective_name();
  for (std::size_t l = 0; l < optimizer.state->n_load_cases(); ++l)
    summary_.load_cases.push_back(
      {optimizer.state->load_case(l).name, optimizer.state->load_case(l).weight});
  summary_.volume_fraction = parameters.optimization.get().volume_fraction;
  summary_.columns         = optimizer.method->columns();
  summary_.solid_body      = std::move(solid_body);
}

void RunReport::look_for_part()
{
  if (!has_new_design() || part_verdict_)
    return;
  const TimingTable::Scope scope(run_.timing, "output: measures");
  part_verdict_   = judge_part(run_, optimizer_);
  summary_.pieces = std::move(part_verdict_->pieces);
}

bool RunReport::exports_part() const
{
  return run_.parameters.part.wanted() && fault_of_part().empty();
}

void RunReport::make_part_of_page()
{
  if (!has_new_design() || !part_verdict_ || exports_part())
    return;
  if (part_verdict_->is_empty) // its surface would be that of the whole body
    page_.take_no_part(fault_of_part());
  else
    page_.take_part([this](const TriangleMesh &surface) { measure_surface(surface); });
  has_part_of_page_ = true;
}

void RunReport::measure_design()
{
  if (!has_new_design())
    return;
  look_for_part();
  const std::vector<DesignPiece> &pieces = *summary_.pieces;
  const DesignMethod &method             = *optimizer_.method;
  StateSolver &state                     = *optimizer_.state;
  const ElementMesh &mesh                = run_.parameters.problem.mesh();
  const auto n_threads                   = static_cast<int>(run_.chosen.n_threads);
  const TimingTable::Scope scope(run_.timing, "output: measures");
  std::vector<double> densities = method.analysed_densities();
  if (run_.parameters.method_entry().makes_grey)
    summary_.greyness = greyness(run_.communicator, mesh, densities);
  // Small pieces that carry nothing are not a fault.
  const bool comes_apart =
    pieces.size() > 1 &&
    (method.verdict().falls_short ||
     std::any_of(pieces.begin() + 1, pieces.end(), [](const DesignPiece &piece) {
       return piece.has_load || piece.has_support;
     }));
  if (comes_apart)
    where_pieces_ = draw_smaller_pieces(run_, densities);
  // A million elements take about two seconds of one core. Robust designs have a larger limit, as
  // they ask for lengths.
  const std::size_t most_elements = method.fields().empty() ? 500'000 : 2'000'000;
  if (run_.parameters.optimization.uses_filter_radius() &&
      run_.parameters.method_entry().makes_grey &&
      run_.parameters.problem.summary().n_cells <= most_elements)
    {
      const TimingTable::Scope lengths(run_.timing, "output: lengths");
      summary_.lengths =
        measure_lengths(run_.communicator.mpi(), mesh, densities, run_.chosen.n_threads);
    }
  const Problem &problem = run_.parameters.problem;
  const std::vector<double> stiffness =
    stiffness_of_design(method.analysed_stiffness(), densities, n_threads);
  std::vector<double>().swap(densities); // before displacements need the memory
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    summary_.load_cases[l].reactions = reactions_of(run_.communicator, problem, state, l);
  const OutputParameters &output       = run_.parameters.output;
  const std::vector<NamedPoint> points = find_points(run_.communicator, mesh, output.points);
  const bool measures_nodes            = output.nodal_stress || !points.empty() ||
                              problem.summary().n_cells <= most_elements_for_nodal_stress;
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      RunSummary::Case &load_case = summary_.load_cases[l];
      const SolidsOfElements solids(problem.material(), problem.solids());
      const std::vector<double> u = state.displacement(l);
      load_case.largest = largest_values(run_.communicator, mesh, solids, stiffness, u, n_threads);
      if (!measures_nodes)
        continue;
      NodalStresses stresses =
        measure_nodal_stresses(run_.communicator,
                               problem,
                               {mesh, solids, stiffness, u, state.load_case(l).expansion},
                               points,
                               false,
                               n_threads);
      load_case.at_nodes = stresses.largest;
      load_case.points   = std::move(stresses.points);
    }
  // A design of a few iterations is only a beginning, and one in pieces carries nothing.
  if (fault_of_part().empty() && method.finished() &&
      (method.converged() || method.history().size() >= few_designs) &&
      run_.parameters.method_entry().makes_grey && has_limits_to_solve(run_.parameters))
    {
      solid_elements_         = solve_as_solid_elements(run_, optimizer_);
      summary_.solid_elements = solid_elements_.values;
    }
}

void RunReport::measure_surface(const TriangleMesh &surface, const std::optional<bool> is_closed)
{
  const auto n_threads = static_cast<int>(run_.chosen.n_threads);
  if (surface.triangles.empty())
    return;
  const auto closed_by_itself = [&] { // in the numbers of its file, if it has one
    return is_closed_in_file(run_.parameters.output.surface
                               ? find_part_format("stl").numbers(surface,
                                                                 output_.precision().origin,
                                                                 "millimeter")
                               : surface,
                             n_threads);
  };
  summary_.surface = {is_closed ? *is_closed : closed_by_itself(),
                      wall_thickness(surface, n_threads)};
}

DesignVerdict RunReport::end(const RunStatus status)
{
  const DeckParameters &parameters = run_.parameters;
  const DesignMethod &method       = *optimizer_.method;
  if (!has_part_of_page_)
    make_part_of_page();
  page_.finish_part();
  DesignVerdict verdict    = method.verdict();
  const std::string broken = limit_that_solid_breaks(summary_.solid_body);
  if (verdict.falls_short && !broken.empty())
    verdict.text += ". The solid body breaks the limit '" + broken +
                    "', too: look at it first, and at the supports and the material";
  else if (verdict.smaller_steps_may_help)
    verdict.text += against_broken_limits(parameters.optimization.get());
  // A design from the evolution method that falls apart is already reported.
  if (!fault_of_part().empty() && (parameters.method_entry().makes_grey || !verdict.falls_short))
    verdict.add(fault_of_part(), true);
  if (const std::string relapse = describe_relapse(); !relapse.empty())
    verdict.add(relapse, true);
  if (const std::string fault = solid_elements_.fault(); !fault.empty())
    verdict.add(fault, true);
  if (!has_new_design() && method.finished())
    {
      // Nothing was judged again: the verdict is that of the run that made the design.
      if (run_.communicator.any(!summary_.shortfall.empty()))
        verdict = {summary_.shortfall, true};
    }
  if (verdict.falls_short)
    summary_.shortfall = verdict.text;
  print(status, verdict);
  // A run that cannot write its part has not ended: a restart makes the part.
  write(run_.parameters.part.wanted() && has_new_design() ? RunStatus::running : status);
  if (!run_.parameters.part.wanted())
    return verdict;
  if (exports_part() && has_new_design())
    {
      run_.log.say(export_part()); // after the other files of the run, which exist if this fails
      write(status);
    }
  else
    {
      run_.log.say(
        has_new_design()
          ? "  NOTE: no part is made of this design; strut-export makes one of the result if there is anything to export\n"
          : "  NOTE: there is no new design, so no part is made; strut-export makes one of the result\n");
      write(status);
    }
  return verdict;
}

std::string RunReport::describe_relapse() const
{
  constexpr double least = 0.02; // relative to the objective of that design
  const double last      = optimizer_.method->history().back().objective;
  if (!summary_.best)
    return "";
  const double best  = summary_.best->record.objective;
  const double worse = run_.parameters.optimization.maximises() ? best - last : last - best;
  if (!(worse > least * std::abs(best)))
    return "";
  std::ostringstream text;
  text << "the last design is worse than that of iteration " << summary_.best->record.iteration
       << ", which meets volume and constraints: " << run_.parameters.objective_name() << ' '
       << last << ", where that had " << best << ". "
       << (!summary_.best->file.empty()
             ? "It is in " + summary_.best->file + "; strut-export says whether it is in one piece"
             : "'Output / Best design = true' keeps it; a smaller 'Move limit' may hold it");
  return text.str();
}

std::string RunReport::describe_walls() const
{
  std::ostringstream text;
  if (const auto &surface = summary_.surface; surface && surface->walls)
    text << "Walls: one per cent is thinner than " << surface->walls->one_percent
         << ", the thinnest place has " << surface->walls->least << '\n';
  return text.str();
}

std::string RunReport::export_part()
{
  const TimingTable::Scope scope(run_.timing, "output: part");
  const LongStep step(run_.log, "making the part");
  const DeckParameters &parameters = run_.parameters;
  PartRequest request = parameters.part.request(run_.file(parameters.base_name + "-part"),
                                                parameters.problem.symmetry_planes());
  // The sides of tied faces share no vertices, so each has its own body.
  const bool is_tied = run_.communicator.any(!parameters.problem.mesh().dependent.empty());
  if (is_tied)
    request.settings.keep_islands = true;
  request.regions = solid_regions(parameters.problem);
  Part part;
  try
    {
      part = part_of_design(run_.communicator.mpi(),
                            parameters.problem.mesh(),
                            optimizer_.method->analysed_densities(),
                            request,
                            run_.chosen.n_threads);
    }
  catch (const NothingToExport &nothing)
    {
      std::string reason = nothing.reason;
      std::replace(reason.begin(), reason.end(), '\n', ' ');
      return "WARNING: no part is written. " + reason + '\n';
    }
  if (is_tied)
    part.warnings.push_back(
      "the deck ties touching faces, which share no vertices: the part has a body on each side, and keeps "
      "its islands");
  const auto n_threads = static_cast<int>(run_.chosen.n_threads);
  std::vector<WrittenPart> files;
  on_root(run_.communicator, [&] {
    page_.take_part(part.mesh);
    files = write_part(part, request, n_threads);
    RunSummary::PartFacts facts;
    bool are_closed = true;
    for (const WrittenPart &written : files)
      {
        facts.files.push_back(std::filesystem::path(written.file).filename().string());
        are_closed = are_closed && written.is_closed;
      }
    measure_surface(part.mesh, are_closed);
    facts.n_triangles   = part.mesh.triangles.size();
    facts.volume        = part.volume;
    facts.area          = part.area;
    facts.n_cavities    = part.largest.n_cavities;
    facts.design_volume = part.design_volume;
    facts.warnings      = warnings_of(part, files);
    for (const Island &island : part.largest.islands)
      facts.islands.push_back(island.volume);
    summary_.part = std::move(facts);
  });
  return "Part:\n" + describe_part(part, files, request.unit) + describe_walls();
}

void RunReport::print(const RunStatus status, const DesignVerdict &verdict) const
{
  const DeckParameters &parameters = run_.parameters;
  const auto &history              = optimizer_.method->history();
  const IterationRecord &last      = history.back();
  double solver_iterations         = 0;
  double largest_residual          = 0;
  double largest_of_adjoints       = 0;
  for (const IterationRecord &record : history)
    {
      solver_iterations += record.solver_iterations;
      largest_residual    = std::max(largest_residual, record.residual);
      largest_of_adjoints = std::max(largest_of_adjoints, record.adjoint_residual);
    }

  std::ostringstream end;
  end.precision(12);
  end << (first_iteration_ > last.iteration  ? "Nothing left to do"
          : status == RunStatus::interrupted ? "Stopped by a signal"
          : status == RunStatus::converged   ? "Converged"
          : status == RunStatus::ended       ? "Ended"
                                             : "Limit of iterations reached")
      << " after iteration " << last.iteration << ": " << parameters.objective_name() << ' '
      << last.objective << ", volume fraction " << last.volume_fraction << '\n';
  run_.log.say("\n");
  run_.log.say_always(end.str());

  std::ostringstream text;
  if (!verdict.text.empty())
    text << "WARNING: " << verdict.text << '\n';
  if (ends_in_two_cycle(history))
    text << "WARNING: the last designs alternate between two, with objectives "
         << history[history.size() - 2].objective << " and " << last.objective << ". "
         << against_two_cycles(parameters.method_entry()) << '\n';
  for (const std::string &note : optimizer_.method->notes())
    text << "NOTE: " << note << '\n';
  if (part_verdict_ && !part_verdict_->note.empty())
    text << "NOTE: " << part_verdict_->note << '\n';
  if (const auto &best = summary_.best; best && best->record.iteration != last.iteration)
    text << "Best design that meets volume and constraints: iteration " << best->record.iteration
         << ", " << parameters.objective_name() << ' ' << best->record.objective
         << (!best->file.empty()            ? ", in " + best->file
             : parameters.output.keeps_best ? ", which has no file"
                                            : "; 'Output / Best design = true' keeps it")
         << '\n';
  if (summary_.greyness)
    text << describe_greyness(*summary_.greyness,
                              last.iteration,
                              parameters.optimization.has_map("projection"));
  for (const DesignFieldRecord &field : optimizer_.method->fields())
    {
      text << "Field '" << field.name << "': volume fraction " << field.volume_fraction;
      if (field.objective)
        text << ", " << parameters.objective_name() << ' ' << *field.objective;
      for (const auto &[name, value] : field.constraints)
        text << ", '" << name << "' " << value;
      text << '\n';
    }
  if (summary_.lengths)
    text << describe_lengths(*summary_.lengths);
  if (summary_.pieces)
    text << describe_pieces(*summary_.pieces) << where_pieces_;
  for (const RunSummary::Case &load_case : summary_.load_cases)
    if (const auto &largest = load_case.largest)
      text << "Largest von Mises stress " << largest->corner_stress << " at corners of elements, "
           << largest->stress << " at their centres; largest displacement " << largest->displacement
           << (summary_.load_cases.size() > 1 ? ", load case '" + load_case.name + "'" : "")
           << '\n';
  for (const RunSummary::Case &load_case : summary_.load_cases)
    {
      const std::string of_case =
        summary_.load_cases.size() > 1 ? ", load case '" + load_case.name + "'" : "";
      if (load_case.at_nodes)
        text << describe(*load_case.at_nodes, of_case);
      text << describe(load_case.points, of_case);
      if (load_case.reactions)
        text << describe(*load_case.reactions, of_case);
    }
  text << solid_elements_.describe() << describe_walls();
  const SolverControl &control = optimizer_.settings.control;
  const auto above             = [&](const double residual, const double tolerance) {
    return residual <= tolerance ? ""
                       : control.accepts_limit ? ", above the tolerance: the limit of iterations is accepted"
                                               : ", above the tolerance: the precision gives no smaller one";
  };
  text << "PCG iterations per load case: "
       << solver_iterations / (history.size() * optimizer_.state->n_load_cases()) << " on average\n"
       << "Largest residual: " << largest_residual << above(largest_residual, control.tolerance)
       << '\n';
  if (largest_of_adjoints > 0.)
    text << "Largest residual of second solves, for derivatives: " << largest_of_adjoints
         << above(largest_of_adjoints, adjoint_tolerance(control)) << '\n';
  text << "Memory of the backend: " << format_bytes(run_.backend().memory().peak()) << " at most"
       << (run_.communicator.size() > 1 ? " on rank 0" : "") << "\n\n";
  run_.timing.print(text);
  if (run_.communicator.rank() == 0)
    write_file_atomically(run_.file("timing.csv"), run_.timing.csv());
  text << "\nResults in " << output_.list();
  if (status == RunStatus::interrupted)
    text << "Go on with: strut --resume" << as_command_line(parameters.settings) << ' '
         << parameters.deck.file_name() << '\n';
  run_.log.say(text.str());
}

void RunReport::write(const RunStatus status, const std::string &error)
{
  dealii::Utilities::System::MemoryStats memory; // in kilobytes, peak of the process
  dealii::Utilities::System::get_memory_stats(memory);
  double host_memory = 1024. * static_cast<double>(memory.VmHWM);
  if (status != RunStatus::running && status != RunStatus::failed) // one rank may have failed alone
    host_memory = run_.communicator.max(host_memory);
  if (run_.communicator.rank() != 0)
    return;
  // If an earlier start ended in the same way, its files say more, because it measured the design.
  const bool has_nothing_to_do =
    error.empty() && !has_new_design() && optimizer_.method->finished();
  if (has_nothing_to_do && has_ended_well(run_.folder))
    return;
  update_summary(status, error, host_memory);
  write_file_atomically(run_.file("summary.json"), to_json(summary_));
  if (!has_nothing_to_do)
    write_page();
}

void RunReport::write_page()
{
  try
    {
      page_.write(summary_);
    }
  catch (const Error &error) // the other files of the run are more important
    {
      if (!page_failure_logged_)
        run_.log.say(std::string("  NOTE: ") + error.what() +
                     " The run goes on without its page.\n");
      page_failure_logged_ = true;
    }
}

void RunReport::after_iteration()
{
  if (!page_.is_due())
    return;
  page_.take_part_while_running();
  if (run_.communicator.rank() != 0)
    return;
  update_summary(RunStatus::running, {}, 0.);
  write_page();
}

void RunReport::renew_part_of_page()
{
  page_.take_part();
}

void RunReport::update_summary(const RunStatus status,
                               const std::string &error,
                               const double host_memory)
{
  summary_.label          = {{"strut", STRUT_VERSION},
                             {"commit", strut_commit()},
                             {"deal.II", DEAL_II_PACKAGE_VERSION},
                             {"libraries", library_versions()},
                             {"backend", run_.backend().name()},
                             {"device", run_.backend().device()},
                             {"precision", to_string(run_.parameters.compute.precision)},
                             {"operator", run_.parameters.compute.strategy},
                             {"preconditioner", optimizer_.settings.preconditioner.name},
                             {"date", date()}};
  summary_.status         = status;
  summary_.error          = error;
  summary_.history        = optimizer_.method->history();
  summary_.fields         = optimizer_.method->fields();
  summary_.seconds        = run_.timing.by_section();
  summary_.backend_memory = run_.backend().memory().peak();
  summary_.host_memory    = static_cast<std::size_t>(host_memory);
  summary_.pictures       = run_.pictures;
  summary_.notes          = run_.log.notes();
}
} // namespace strut
