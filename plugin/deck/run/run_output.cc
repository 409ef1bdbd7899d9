// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_output.h"

#include <strut/base/exceptions.h>

#include <algorithm>

#include <cmath>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/named_file.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/output/surface_writer.h"
#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/run/nodal_stresses.h"
#include "plugin/deck/run/versions.h"
#include "source/base/text_stream.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
namespace
{
ResultFields result_fields(const std::string &name)
{
  return name == "density"   ? ResultFields::density
         : name == "surface" ? ResultFields::surface
                             : ResultFields::all;
}
} // namespace

RunOutput::RunOutput(RunContext &run, OutputFolder folder, Optimizer &optimizer)
  : run_(run)
  , folder_(std::move(folder))
  , optimizer_(optimizer)
  , history_(run_.file("history.csv"))
  , writer_(
      run.parameters.problem.mesh(),
      {run.parameters.problem.material(), run.parameters.problem.solids()},
      [&mesh = run.parameters.problem.deck_mesh()](const std::size_t e) {
        return static_cast<std::int32_t>(mesh.material_id(e));
      },
      run.communicator.mpi(),
      run.folder,
      run.parameters.base_name,
      run.parameters.output.von_mises,
      static_cast<int>(run.chosen.n_threads),
      result_fields(run.parameters.output.fields))
{
  if (resumed())
    run.log.say(resume());
  // Written only when the checkpoint is known to belong to this deck.
  if (run.communicator.rank() == 0)
    write_deck();
}

void RunOutput::prepare()
{
  // The host is idle while a GPU computes.
  if (!run_.backend().memory().is_host())
    writer_.prepare_mesh();
  tell_of_mesh();
}

void RunOutput::tell_of_mesh()
{
  if (const std::string &why = writer_.why_mesh_is_not_shared(); !why.empty() && !mesh_told_)
    {
      mesh_told_ = true;
      run_.log.say("  NOTE: each result compresses its mesh, not one for all: " + why + '\n');
    }
}

void RunOutput::write_deck() const
{
  TextStream text, copy;
  std::istringstream lines(run_.header());
  for (std::string line; std::getline(lines, line);)
    text << "# " << line << '\n';
  write_default_deck(dealii::ParameterAcceptor::prm, text);
  write_file_atomically(run_.file("parameters.prm"), text.str());

  copy << file_contents(run_.parameters.deck.file_name());
  for (const Deck::Setting &setting : run_.parameters.settings)
    copy << "\n# on the command line, " << setting.option << ": " << setting.text;
  if (!run_.parameters.settings.empty())
    copy << '\n';
  write_file_atomically(run_.file("original.prm"), copy.str());
}

template <typename Action>
void RunOutput::attempt(const char *const section,
                        const std::string &file,
                        const bool must_be,
                        const Action &action)
{
  const TimingTable::Scope scope(run_.timing, section, &run_.backend());
  try
    {
      action();
    }
  catch (const Error &error)
    {
      if (must_be && failure_ == nullptr)
        failure_ = std::current_exception();
      else if (must_be)
        run_.log.say(std::string("  NOTE: ") + error.what() + '\n');
      else
        {
          if (unwritten_.empty()) // on a full disk, every file would report the same
            {
              const std::string text = error.what();
              const bool is_named    = text.find(file) != std::string::npos;
              run_.log.say(
                "  NOTE: " + (is_named ? "" : file + " is not written. ") + text +
                " The run goes on, and will try again; the end names the files that are missing.\n");
            }
          if (std::find(unwritten_.begin(), unwritten_.end(), file) == unwritten_.end())
            unwritten_.push_back(file);
        }
    }
}

std::string RunOutput::last_result() const
{
  return writer_.file_of(optimizer_.method->history().back().iteration, ".vtu");
}

void RunOutput::write_history()
{
  history_.write(history_text(optimizer_.method->history(),
                              optimizer_.method->columns(),
                              run_.parameters.objective_name(),
                              optimizer_.load_case_names()));
}

void RunOutput::write(const bool is_last, const std::function<void()> &beside)
{
  attempt("output: history", run_.file("history.csv"), is_last, [&] {
    on_root(run_.communicator, [this] { write_history(); });
  });
  if (is_last)
    return write_last(beside);
  const auto is_due = [&](const unsigned int every) {
    return every > 0 && optimizer_.method->history().back().iteration % every == 0;
  };
  const bool results_due    = is_due(run_.parameters.output.results_every);
  const bool checkpoint_due = is_due(run_.parameters.output.checkpoint_every);
  std::vector<SharedField> fields; // shared by both files

  // Results and checkpoints are written in the background: started here, and completed when the
  // next ones are due. A checkpoint gets its name after the results that it lists, so that a
  // resumed run has them.
  attempt("output: wait", begun_result_, false, [&] {
    if (results_due || (checkpoint_due && !writer_.is_compressing_mesh()))
      writer_.wait();
    else
      writer_.proceed();
  });
  tell_of_mesh();
  if (results_due)
    attempt("output: results", last_result(), false, [&] {
      const bool has_displacements = run_.parameters.output.fields != "density";
      if (has_displacements)
        optimizer_.method->prepare_results(false);
      if (has_displacements || checkpoint_due)
        fields = optimizer_.displacements();
      write_results(optimizer_.method->analysed_densities(), {fields.begin(), fields.end()});
    });
  if (checkpoint_due)
    {
      if (checkpoint_ != nullptr)
        attempt("output: wait", run_.checkpoint_file(), false, [&] { checkpoint().wait(); });
      attempt("output: checkpoint", run_.checkpoint_file(), false, [&] {
        write_checkpoint(fields.empty() ? optimizer_.displacements() : std::move(fields));
      });
    }
  else if (checkpoint_ != nullptr && writer_.is_done())
    attempt("output: wait", run_.checkpoint_file(), false, [&] { checkpoint().proceed(); });
}

void RunOutput::write_last(const std::function<void()> &beside)
{
  const LongStep step(run_.log, "writing the last result and checkpoint");
  attempt("output: wait", begun_result_, false, [&] { writer_.wait(); });
  tell_of_mesh();
  attempt("output: results", last_result(), true, [&] {
    optimizer_.method->prepare_results(true); // measures this design, too
    begin_last_result();
  });
  if (beside)
    beside();
  attempt("output: checkpoint", run_.checkpoint_file(), true, [&] {
    checkpoint();
  }); // prepares the mesh meanwhile
  attempt("output: results", last_result(), true, [&] {
    const bool shares_mesh = writer_.has_prepared_mesh();
    try
      {
        writer_.wait();
      }
    catch (const Error &)
      {
        if (!shares_mesh)
          throw;
        writer_.forget_mesh(); // it takes room on the disk, and may be the file that cannot be read
        begin_last_result();
        writer_.wait();
      }
  });
  writer_.forget_mesh(); // the checkpoint may need its room
  if (checkpoint_ != nullptr)
    attempt("output: wait", run_.checkpoint_file(), false, [&] { checkpoint().wait(); });
  attempt("output: checkpoint", run_.checkpoint_file(), true, [&] {
    Checkpoint::DisplacementSource displacements;
    displacements.n_cases = optimizer_.state->n_load_cases();
    displacements.now     = [&](const std::size_t l) { return optimizer_.state->displacement(l); };
    if (optimizer_.state->extrapolates())
      displacements.before = [&](const std::size_t l) {
        return optimizer_.state->displacement_before(l);
      };
    // Nobody waits for the disk at the end of a run: the system completes the file.
    checkpoint().write_now(state_without_displacements(), displacements, Outlives::process);
  });
}

void RunOutput::begin_last_result()
{
  ResultDisplacements displacements;
  if (run_.parameters.output.fields != "density")
    for (std::size_t l = 0; l < optimizer_.state->n_load_cases(); ++l)
      {
        if (run_.parameters.output.von_mises || run_.parameters.output.nodal_stress)
          displacements.emplace_back(SharedField(optimizer_.state->displacement(l)));
        else
          displacements.emplace_back(
            SharedVector<float>(optimizer_.state->displacement_in_float(l)));
      }
  write_results(optimizer_.method->analysed_densities(), displacements);
}

void RunOutput::finish()
{
  if (!unwritten_.empty())
    {
      std::string names;
      for (const std::string &file : unwritten_)
        names += (names.empty() ? ": " : ", ") + file;
      run_.log.say("  NOTE: " + std::to_string(unwritten_.size()) +
                   (unwritten_.size() == 1 ? " file that was" : " files that were") +
                   " due could not be written" + names + '\n');
    }
  if (failure_ != nullptr)
    std::rethrow_exception(failure_);
}

void RunOutput::write_state()
{
  try
    {
      writer_.forget_mesh();
      writer_.wait();
    }
  catch (const Error &error)
    {
      run_.log.say(std::string("  NOTE: ") + error.what() + '\n');
    }
  try
    {
      write_checkpoint(optimizer_.displacements());
    }
  catch (const Error &)
    {
      // An error of the previous checkpoint.
    }
  checkpoint().wait();
}

ResultWriter::Facts RunOutput::facts_of(const IterationRecord &record) const
{
  const DeckParameters &parameters = run_.parameters;
  return {{"Written by " + strut_version(),
           "Deck: " + std::filesystem::path(parameters.deck.file_name()).filename().string(),
           "Objective: " + parameters.optimization.objective,
           "design_flag: 0 design, 1 solid, 2 void",
           "Lengths, forces and stresses are in the units of the deck."},
          {{"objective", record.objective}, {"volume_fraction", record.volume_fraction}},
          {},
          std::nullopt};
}

void RunOutput::add_surface(const IterationRecord &record,
                            const std::vector<double> &densities,
                            ResultWriter::Facts &facts)
{
  const SinglePrecision &precision = writer_.precision();
  const EnclosingSurface surface   = make_enclosing_surface(run_.communicator.mpi(),
                                                          run_.parameters.problem.mesh(),
                                                          densities,
                                                          run_.chosen.n_threads);
  if (precision.has_origin() && !std::exchange(origin_told_, true))
    run_.log.say(note_on_origin(precision));
  const SurfaceVolumes &volumes = surface.volumes;
  facts.surface                 = stl_records(surface.surface, precision.origin);
  if (std::abs(volumes.enclosed - volumes.design) <= 1e-3 * volumes.design)
    return;
  if (surface.empty)
    {
      run_.log.say(note_on_empty_surface(writer_.file_of(record.iteration, ".stl"), surface));
      return;
    }
  std::ostringstream note;
  note << "  NOTE: the surface in " << writer_.file_of(record.iteration, ".stl")
       << " encloses a volume of " << volumes.enclosed << " in the design elements, which have "
       << volumes.design << " of material: no level of the density encloses that\n";
  run_.log.say(note.str());
}

void RunOutput::write_results(const SharedField &densities,
                              const ResultDisplacements &displacements)
{
  const DeckParameters &parameters = run_.parameters;
  const StateSolver &state         = *optimizer_.state;
  const DesignMethod &method       = *optimizer_.method;
  std::vector<ResultWriter::LoadCaseResult> results;
  const bool has_nodal_stress = parameters.output.nodal_stress && !displacements.empty();
  const auto n_threads        = static_cast<int>(run_.chosen.n_threads);
  std::vector<double> stiffness;
  if (has_nodal_stress)
    stiffness = stiffness_of_design(method.analysed_stiffness(), *densities, n_threads);
  for (std::size_t l = 0; l < displacements.size(); ++l)
    {
      results.push_back({state.load_case(l).name, displacements[l], &state.load_case(l).forces});
      const Problem &problem = parameters.problem;
      if (has_nodal_stress)
        results.back().stress = measure_nodal_stresses(run_.communicator,
                                                       problem,
                                                       {problem.mesh(),
                                                        {problem.material(), problem.solids()},
                                                        stiffness,
                                                        *std::get<SharedField>(displacements[l]),
                                                        state.load_case(l).expansion},
                                                       {},
                                                       true,
                                                       n_threads)
                                  .field;
    }
  begun_result_                               = last_result();
  const IterationRecord &record               = method.history().back();
  ResultWriter::Facts facts                   = facts_of(record);
  const std::vector<DesignFieldRecord> fields = method.fields();
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name != "blueprint")
      facts.cell_fields.emplace_back("density_" + fields[i].name,
                                     SharedField(method.field_densities(i)));
  if (parameters.output.surface && makes_surface_)
    add_surface(record, *densities, facts);
  writer_.write(record.iteration,
                densities,
                parameters.output.von_mises ? method.analysed_stiffness() : std::vector<double>(),
                std::move(results),
                std::move(facts));
}

std::string RunOutput::write_best(const IterationRecord &record,
                                  const BestDesign &best,
                                  const bool last_follows)
{
  const std::vector<unsigned int> before = writer_.written();
  const bool is_there =
    (last_follows && record.iteration == optimizer_.method->history().back().iteration) ||
    std::find(before.begin(), before.end(), record.iteration) != before.end();
  if (!is_there && !best.has(record.iteration))
    return "";
  try
    {
      if (!is_there)
        {
          ResultWriter::Facts facts = facts_of(record);
          facts.remarks.push_back("The best design that meets volume and constraints.");
          if (run_.parameters.output.surface)
            add_surface(record, best.densities(), facts);
          writer_.write(record.iteration, best.densities(), {}, {}, std::move(facts));
          writer_.wait();
        }
    }
  catch (const Error &error) // the last design is written later
    {
      writer_.forget_mesh(); // it may have taken the room
      run_.log.say(std::string("  NOTE: ") + error.what() + '\n');
      return "";
    }
  return std::filesystem::path(writer_.file_of(record.iteration, ".vtu")).filename().string();
}

std::string RunOutput::list() const
{
  const unsigned int last = optimizer_.method->history().back().iteration;
  return run_.folder + ": " + run_.parameters.base_name + ".pvd (ParaView), " +
         (run_.parameters.output.surface && makes_surface_
            ? std::filesystem::path(writer_.file_of(last, ".stl")).filename().string() +
                " (surface), "
            : "") +
         (run_.parameters.output.report ? "report.html (in a browser), " : "") +
         "history.csv, summary.json, timing.csv, parameters.prm, checkpoint.strut\n";
}
} // namespace strut
