// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "plugin/base/atomic_file.h"
#include "plugin/base/collective.h"
#include "plugin/output/earlier_results.h"
#include "plugin/run/design_run.h"

namespace strut::plugin
{
bool DesignRun::prepare_output(const Resume wanted)
{
  bool found = false; // a checkpoint to go on from; of rank 0, as the following
  std::ostringstream notes;
  const auto look_for_checkpoint = [&]() {
    // a path that cannot be looked at is named by what makes the folder
    std::error_code error;
    found = wanted != Resume::no && std::filesystem::exists(checkpoint_file(), error);
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
} // namespace strut::plugin
