// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/output/earlier_results.h"
#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/run/run_output.h"
#include "source/base/text.h"

namespace strut
{
namespace
{
/// Entries that may differ between a checkpoint and the run that resumes it. They decide on length,
/// frequency, place and accuracy of the run, not on the problem that is solved.
const std::vector<std::string> may_change = {"Output/",
                                             "Export/",
                                             "Solver/",
                                             "Backend",
                                             "Communication",
                                             "Precision",
                                             "Operator",
                                             "Threads",
                                             "Deterministic",
                                             "Memory limit",
                                             "Optimization/Initial design",
                                             "Optimization/Maximum iterations",
                                             "Optimization/Stopping criterion",
                                             "Optimization/Stopping tolerance",
                                             "Optimization/Stopping designs"};
} // namespace

bool OutputFolder::will_resume(const RunContext &run, const Resume wanted)
{
  const std::string checkpoint = run.checkpoint_file();
  std::error_code ignored;
  return wanted != Resume::no &&
         run.communicator.any(run.communicator.rank() == 0 &&
                              (std::filesystem::exists(checkpoint, ignored) ||
                               std::filesystem::exists(before_last(checkpoint), ignored)));
}

OutputFolder::OutputFolder(RunContext &run, const Resume wanted)
{
  const std::string checkpoint = run.checkpoint_file();
  // Whether there is a checkpoint to resume from; on rank 0, as below.
  bool found = false;
  std::ostringstream notes;
  const auto look_for_checkpoint = [&]() {
    // A path that cannot be read is reported when the folder is made.
    std::error_code error;
    found = wanted != Resume::no && (std::filesystem::exists(checkpoint, error) ||
                                     std::filesystem::exists(before_last(checkpoint), error));
    if (wanted == Resume::yes && !found)
      throw Error("There is no checkpoint " + checkpoint +
                  " to go on from.\nStart without --resume, or set the output directory of the "
                  "earlier run. --resume=auto starts from the beginning if there is none.");
  };
  const auto prepare = [&]() {
    look_for_checkpoint(); // before a folder is made
    create_folder(run.folder);
    lock = std::make_unique<FolderLock>(run.folder);
    look_for_checkpoint(); // again: another run may have ended in between
    if (!lock->remark().empty())
      notes << "  NOTE: " << lock->remark() << '\n';
    if (wanted == Resume::automatic && !found)
      notes << "  NOTE: there is no checkpoint " << checkpoint
            << " to go on from, so this run starts from the beginning\n";
    if (found)
      return;
    // A run from the beginning must not delete the last state of an earlier run.
    std::string kept;
    std::error_code error;
    if (std::filesystem::exists(checkpoint, error))
      {
        kept = run.file("checkpoint.previous.strut");
        rename_file(checkpoint, kept);
      }
    std::filesystem::remove(before_last(checkpoint), error);
    const std::vector<std::string> others = other_decks(run.folder, run.parameters.base_name);
    if (!others.empty() && std::filesystem::exists(run.file("history.csv"), error))
      notes
        << "  NOTE: " << run.folder << " holds results of the deck '" << others.front()
        << "', too, and its history.csv, summary.json, timing.csv and report.html are replaced: give each deck a folder of "
           "its own ('Output directory', or --output)\n";
    const std::size_t n_removed =
      remove_results_of_earlier_run(run.folder, run.parameters.base_name);
    if (n_removed > 0 || !kept.empty())
      notes << "  NOTE: " << run.folder << " holds an earlier run, whose results are replaced ("
            << n_removed << " files)" << (kept.empty() ? "" : "; its checkpoint is kept as " + kept)
            << '\n';
  };
  try
    {
      on_root(run.communicator, prepare);
    }
  catch (const Error &error)
    {
      throw EntryError({"Output"}, "Output directory", error.what());
    }
  run.log.say(notes.str());
  resumes = run.communicator.any(found);
}

std::string RunOutput::resume()
{
  std::vector<std::string> changes;
  CheckpointState state;
  const auto read = [&](const std::string &file_name) {
    // entries first: a changed mesh should name its entry
    changes = compare_parameters(file_name,
                                 read_checkpoint_parameters(file_name, run_.communicator.mpi()),
                                 entries(),
                                 may_change);
    state   = checkpoint().read(file_name);
  };
  const auto can_read = [&](const std::string &file_name) {
    std::error_code ignored;
    if (!run_.communicator.any(run_.communicator.rank() == 0 &&
                               std::filesystem::exists(file_name, ignored)))
      return false;
    try
      {
        read(file_name);
        return true;
      }
    catch (const Error &)
      {
        return false;
      }
  };
  std::string file_name = run_.checkpoint_file(), text;
  try
    {
      read(file_name);
    }
  catch (const Error &error) // it may be damaged, while the previous one is sound
    {
      const std::string before = before_last(file_name);
      if (!can_read(before))
        throw;
      // The last line is advice, which does not hold here.
      const std::string found = error.reason.substr(0, error.reason.rfind('\n'));
      text = "  NOTE: " + found + "\n    So the run goes on from the one before, " + before + ".\n";
      file_name = before;
    }
  std::vector<std::string> notes;
  for (const auto &[name, value] : state.parameters)
    if (name == note_of_run)
      notes.push_back(value);
  run_.log.put_before(std::move(notes));
  optimizer_.method->restore(state.design, state.history);
  if (optimizer_.method->finished() &&
      run_.communicator.any(run_.communicator.rank() == 0 && !has_ended_well(run_.folder)))
    {
      // The checkpoint has the next design instead of the last one, which is computed again.
      const std::string before    = before_last(file_name);
      const CheckpointState last  = state;
      const std::size_t n_designs = state.history.size();
      const bool is_before        = file_name == run_.checkpoint_file() && can_read(before);
      const std::string unfinished =
        "  NOTE: the earlier start has not written all files of its end";
      if (is_before && state.history.size() < n_designs)
        {
          text += unfinished + ": its last designs are analysed once more\n";
          file_name = before;
        }
      else
        {
          text += unfinished +
                  ". There is no earlier state from which its last design could be found again: "
                  "what is missing takes a start from the beginning\n";
          state = last;
        }
      optimizer_.method->restore(state.design, state.history);
    }
  if (const auto lost = writer_.set_written(state.written_results); !lost.empty())
    text += "  NOTE: " + file_name + " lists results that are missing or empty: " + join(lost) +
            "\n    " + writer_.series_file() + " goes on without them.\n";
  const std::size_t n_load_cases = optimizer_.state->n_load_cases();
  const bool has_before          = state.displacements_before.size() == n_load_cases;
  for (std::size_t l = 0; l < n_load_cases; ++l)
    optimizer_.state->set_displacement(l,
                                       *state.displacements[l],
                                       has_before ? state.displacements_before[l] : PackedValues());
  text += "  going on after iteration " + std::to_string(state.history.size()) + " of " +
          file_name + '\n';
  // a full disk may have lost its last rows
  on_root(run_.communicator, [this] { write_history(); });
  for (const std::string &entry : changes)
    text += "  changed since then  " + entry + '\n';
  return text;
}

CheckpointState RunOutput::state_without_displacements() const
{
  CheckpointState state;
  state.parameters = entries();
  for (const std::string &note : run_.log.notes())
    state.parameters.emplace_back(note_of_run, note);
  state.history         = optimizer_.method->history();
  state.written_results = writer_.written();
  state.design          = optimizer_.method->state();
  return state;
}

void RunOutput::write_checkpoint(std::vector<SharedField> displacements)
{
  CheckpointState state = state_without_displacements();
  state.displacements   = std::move(displacements);
  if (optimizer_.state->extrapolates())
    for (std::size_t l = 0; l < optimizer_.state->n_load_cases(); ++l)
      state.displacements_before.push_back(optimizer_.state->displacement_before(l));
  checkpoint().write(std::move(state), writer_.end_of_work());
}

Checkpoint &RunOutput::checkpoint()
{
  if (checkpoint_ == nullptr)
    checkpoint_ = std::make_unique<Checkpoint>(run_.checkpoint_file(),
                                               run_.communicator.mpi(),
                                               run_.parameters.problem.mesh(),
                                               run_.parameters.problem.deck_mesh().keys(),
                                               static_cast<int>(run_.chosen.n_threads));
  return *checkpoint_;
}

std::vector<std::pair<std::string, std::string>> RunOutput::entries() const
{
  auto list = all_entries(dealii::ParameterAcceptor::prm);
  for (const Deck::Entry &entry : run_.parameters.deck.entries())
    if (entry.line == 0)
      {
        std::string name = option_of;
        for (const std::string &part : entry.path)
          name += part + '/';
        list.emplace_back(name + entry.name, entry.file);
      }
  return list;
}
} // namespace strut
