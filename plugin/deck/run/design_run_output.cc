// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>
#include <strut/base/text.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/output/checkpoint.h"
#include "plugin/deck/output/earlier_results.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/output/long_step.h"
#include "plugin/deck/output/surface_writer.h"
#include "plugin/deck/parameters/default_deck.h"
#include "plugin/deck/run/design_run_loop.h"
#include "plugin/deck/run/versions.h"

namespace strut::plugin
{
namespace
{
/// Entries that may differ between a checkpoint and the run that goes on from it: they decide how
/// long, how often, where and with how much care, not what problem is solved.
const std::vector<std::string> may_change = {"Output/",
                                             "Solver/",
                                             "Backend",
                                             "Precision",
                                             "Operator",
                                             "Threads",
                                             "Deterministic",
                                             "Memory limit",
                                             "Optimization/Maximum iterations",
                                             "Optimization/Stopping criterion",
                                             "Optimization/Stopping tolerance"};
} // namespace

bool DesignRun::prepare_output(const Resume wanted)
{
  bool found = false; // a checkpoint to go on from; of rank 0, as the following
  std::ostringstream notes;
  const auto look_for_checkpoint = [&]() {
    // a path that cannot be looked at is named by what makes the folder
    std::error_code error;
    found =
      wanted != Resume::no && (std::filesystem::exists(checkpoint_file(), error) ||
                               std::filesystem::exists(before_last(checkpoint_file()), error));
    if (wanted == Resume::yes && !found)
      throw Error("There is no checkpoint " + checkpoint_file() +
                  " to go on from.\nStart without --resume, or set the output directory of the "
                  "earlier run. --resume=auto starts from the beginning if there is none.");
  };
  const auto prepare = [&]() {
    look_for_checkpoint(); // before a folder is made
    create_folder(output_directory_);
    lock_ = std::make_unique<FolderLock>(output_directory_);
    look_for_checkpoint(); // again: another run may have ended in between
    if (!lock_->remark().empty())
      notes << "  NOTE: " << lock_->remark() << '\n';
    if (wanted == Resume::automatic && !found)
      notes << "  NOTE: there is no checkpoint " << checkpoint_file()
            << " to go on from, so this run starts from the beginning\n";
    if (found)
      return;
    // A run from the beginning must not cost an earlier one its last state.
    std::string kept;
    std::error_code error;
    if (std::filesystem::exists(checkpoint_file(), error))
      {
        kept = output_directory_ + "/checkpoint.previous.strut";
        rename_file(checkpoint_file(), kept);
      }
    std::filesystem::remove(before_last(checkpoint_file()), error);
    const std::size_t n_removed =
      remove_results_of_earlier_run(output_directory_, parameters_.base_name);
    if (n_removed > 0 || !kept.empty())
      notes << "  NOTE: " << output_directory_
            << " holds an earlier run, whose results are replaced (" << n_removed << " files)"
            << (kept.empty() ? "" : "; its checkpoint is kept as " + kept) << '\n';
  };
  try
    {
      on_root(communicator_, prepare);
    }
  catch (const Error &error)
    {
      throw EntryError({"Output"}, "Output directory", error.what());
    }
  if (!notes.str().empty())
    log_.say(notes.str());
  return Communicator(communicator_).any(found);
}

void DesignRun::check_operator() const
{
  if (!parameters_.compute.deterministic)
    return;
  const auto check = [&](const auto &strategies) {
    std::string others;
    bool refused = false;
    for (const auto &strategy : strategies)
      if (strategy.deterministic)
        add_to_list(others, strategy.name);
      else
        refused = refused || strategy.name == parameters_.compute.strategy;
    if (refused)
      throw EntryError({},
                       "Operator",
                       "On the backend '" + backend_.backend->name() + "' the operator '" +
                         parameters_.compute.strategy +
                         "' adds in the order in which threads arrive, and the deck asks for "
                         "'Deterministic = true'.\nDeterministic there: " +
                         others + ".");
  };
  if (parameters_.compute.precision == Precision::fp32)
    check(backend_.backend->strategies<float>());
  else
    check(backend_.backend->strategies<double>());
}

void DesignRun::write_parameters() const
{
  if (Communicator(communicator_).rank() != 0)
    return;
  std::ostringstream header, text;
  print_header(header);
  std::istringstream lines(header.str());
  for (std::string line; std::getline(lines, line);)
    text << "# " << line << '\n';
  write_default_deck(dealii::ParameterAcceptor::prm, text);
  write_file_atomically(output_directory_ + "/parameters.prm", text.str());

  std::ifstream original(parameters_.deck.file_name());
  std::stringstream copy;
  copy << original.rdbuf();
  for (const Deck::Setting &setting : settings_)
    copy << "\n# on the command line, " << setting.option << ": " << setting.text;
  if (!settings_.empty())
    copy << '\n';
  write_file_atomically(output_directory_ + "/original.prm", copy.str());
}

void DesignRun::write_outputs(Loop &loop, TimingTable &timing, const bool is_last)
{
  std::exception_ptr failure;
  const auto write = [&](const char *const section, const bool must_be, const auto &output) {
    const TimingTable::Scope scope(timing, section, backend_.backend.get());
    try
      {
        output();
      }
    catch (const Error &error)
      {
        if (must_be && failure == nullptr)
          failure = std::current_exception();
        else if (!must_be && ++n_unwritten_ == 1) // on a full disk each of them would say the same
          log_.say(
            std::string("  NOTE: ") + error.what() +
            " The run goes on, and will try again; the end says how many files are missing.\n");
      }
  };
  const auto is_due = [&](const unsigned int every) {
    return is_last || (every > 0 && loop.method().history().back().iteration % every == 0);
  };
  const bool results_due    = is_due(parameters_.output.results_every);
  const bool checkpoint_due = is_due(parameters_.output.checkpoint_every);
  write("output: history", is_last, [&] { write_history_file(loop); });
  std::vector<SharedField> fields; // in both files

  // Results and checkpoints are written in the background: begun here, and waited for when the next one is due. A
  // checkpoint gets its name after the results that it lists, so that a run which goes on from it has them.
  if (results_due || checkpoint_due)
    write("output: wait", false, [&] { loop.writer.wait(); });
  else
    write("output: wait", false, [&] { loop.writer.proceed(); });
  if (results_due)
    write("output: results", is_last, [&] {
      fields = displacements(loop);
      write_results(loop, fields);
    });
  if (checkpoint_due)
    {
      if (loop.checkpoint != nullptr)
        write("output: wait", false, [&] { loop.checkpoint->wait(); });
      write("output: checkpoint", is_last, [&] {
        write_checkpoint(loop, fields.empty() ? displacements(loop) : std::move(fields));
      });
    }
  else if (loop.checkpoint != nullptr && loop.writer.is_done())
    write("output: wait", false, [&] { loop.checkpoint->proceed(); });
  fields.clear();
  if (!is_last)
    return;
  if (n_unwritten_ > 0)
    log_.say("  NOTE: " + std::to_string(n_unwritten_) +
             (n_unwritten_ == 1 ? " file that was" : " files that were") +
             " due could not be written\n");
  finish_outputs(loop, timing);
  if (failure != nullptr)
    std::rethrow_exception(failure);
}

void DesignRun::finish_outputs(Loop &loop, TimingTable &timing)
{
  const TimingTable::Scope scope(timing, "output: wait", backend_.backend.get());
  const LongStep step(log_, "writing the last result and checkpoint");
  std::exception_ptr failure; // of the results: the checkpoint is worth more
  try
    {
      loop.writer.wait();
    }
  catch (const Error &)
    {
      failure = std::current_exception();
    }
  checkpoint(loop).wait();
  if (failure != nullptr)
    std::rethrow_exception(failure);
}

void DesignRun::write_history_file(const Loop &loop) const
{
  std::vector<std::string> load_cases;
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    load_cases.push_back(loop.state->load_case(l).name);
  on_root(communicator_, [&] {
    write_history(output_directory_ + "/history.csv",
                  loop.method().history(),
                  loop.method().columns(),
                  objective_name(),
                  load_cases);
  });
}

std::vector<SharedField> DesignRun::displacements(Loop &loop)
{
  std::vector<SharedField> fields;
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    fields.emplace_back(loop.state->displacement(l));
  return fields;
}

void DesignRun::write_results(Loop &loop, const std::vector<SharedField> &displacements)
{
  std::vector<ResultWriter::LoadCaseResult> results;
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    results.push_back(
      {loop.state->load_case(l).name, displacements[l], &loop.state->load_case(l).forces});
  const IterationRecord &record = loop.method().history().back();
  ResultWriter::Facts facts     = {
        {"Written by " + strut_version(),
         "Deck: " + std::filesystem::path(parameters_.deck.file_name()).filename().string(),
         "Objective: " + parameters_.optimization.objective,
         "design_flag: 0 design, 1 solid, 2 void",
         "Lengths, forces and stresses are in the units of the deck."},
        {{"objective", record.objective}, {"volume_fraction", record.volume_fraction}},
        std::nullopt};
  if (parameters_.output.surface)
    {
      DesignSurface surface         = surface_of_design(communicator_,
                                                parameters_.problem.mesh(),
                                                loop.method().analysed_densities(),
                                                backend_.n_threads);
      const SurfaceVolumes &volumes = surface.volumes;
      facts.surface                 = std::move(surface.records);
      if (std::abs(volumes.enclosed - volumes.design) > 1e-3 * volumes.design)
        {
          std::ostringstream note;
          note << "  NOTE: the surface in " << loop.writer.file_of(record.iteration, ".stl")
               << " encloses a volume of " << volumes.enclosed
               << " in the design elements, which have " << volumes.design
               << " of material: no level of the density encloses that\n";
          log_.say(note.str());
        }
    }
  loop.writer.write(record.iteration,
                    loop.method().analysed_densities(),
                    parameters_.output.von_mises ? loop.method().analysed_stiffness()
                                                 : std::vector<double>(),
                    std::move(results),
                    std::move(facts));
}

std::vector<std::pair<std::string, std::string>> DesignRun::entries() const
{
  auto list = all_entries(dealii::ParameterAcceptor::prm);
  for (const Deck::Entry &entry : parameters_.deck.entries())
    if (entry.line == 0)
      {
        std::string name = option_of;
        for (const std::string &part : entry.path)
          name += part + '/';
        list.emplace_back(name + entry.name, entry.file);
      }
  return list;
}

Checkpoint &DesignRun::checkpoint(Loop &loop) const
{
  if (loop.checkpoint == nullptr)
    loop.checkpoint = std::make_unique<Checkpoint>(checkpoint_file(),
                                                   communicator_,
                                                   parameters_.problem.mesh(),
                                                   parameters_.problem.deck_mesh().keys(),
                                                   static_cast<int>(backend_.n_threads));
  return *loop.checkpoint;
}

void DesignRun::write_checkpoint(Loop &loop, std::vector<SharedField> displacements) const
{
  CheckpointState state;
  state.parameters      = entries();
  state.history         = loop.method().history();
  state.written_results = loop.writer.written();
  state.design          = loop.method().state();
  state.displacements   = std::move(displacements);
  checkpoint(loop).write(std::move(state), loop.writer.end_of_work());
}

std::string DesignRun::resume(Loop &loop) const
{
  std::vector<std::string> changes;
  CheckpointState state;
  const auto read = [&](const std::string &file_name) {
    // entries first: a changed mesh should name its entry
    changes = compare_parameters(file_name,
                                 read_checkpoint_parameters(file_name, communicator_),
                                 entries(),
                                 may_change);
    state   = checkpoint(loop).read(file_name);
  };
  std::string file_name = checkpoint_file(), text;
  try
    {
      read(file_name);
    }
  catch (const Error &error) // perhaps it is damaged, and the one before is not
    {
      const std::string before = before_last(file_name);
      const auto can_read      = [&] {
        try
          {
            read(before);
            return true;
          }
        catch (const Error &)
          {
            return false;
          }
      };
      if (!exists(before) || !can_read())
        throw;
      // without the last line, the advice: the run does something else
      const std::string found = error.reason.substr(0, error.reason.rfind('\n'));
      text = "  NOTE: " + found + "\n    So the run goes on from the one before, " + before + ".\n";
      file_name = before;
    }
  loop.method().restore(state.design, state.history);
  loop.writer.set_written(state.written_results);
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    loop.state->set_displacement(l, *state.displacements[l]);
  text += "  going on after iteration " + std::to_string(state.history.size()) + " of " +
          file_name + '\n';
  for (const std::string &entry : changes)
    text += "  changed since then  " + entry + '\n';
  return text;
}

bool DesignRun::exists(const std::string &file_name) const
{
  bool found = false;
  on_root(communicator_, [&] {
    std::error_code ignored;
    found = std::filesystem::exists(file_name, ignored);
  });
  return Communicator(communicator_).any(found);
}
} // namespace strut::plugin
