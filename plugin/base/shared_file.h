// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "plugin/base/atomic_file.h"

namespace strut
{
/// An AtomicFile of which every rank writes parts. All ranks must see its folder.
class SharedFile
{
public:
  /// Creates the file. On failure every rank throws the same Error. Collective.
  SharedFile(const Communicator &communicator,
             const std::string &file_name,
             Outlives outlives = Outlives::process);

  /// Writes a part of this rank, in any order and from any thread.
  void write_at(const std::uint64_t position, const std::string_view contents)
  {
    own_part_->write_at(position, contents);
  }

  /// Ends the writing of this rank. If the file must survive the machine, waits until this rank's
  /// parts are on the disk.
  void finish()
  {
    own_part_->finish();
  }

  /// Writes on rank 0, even after all ranks have finished.
  void write_last(const std::uint64_t position, const std::string_view contents)
  {
    file_->overwrite(position, contents);
  }

  /// Gives the file its final name, on rank 0, once all have finished.
  /// @param keep_as  new name of the old file, if there is one; if empty, the old file is deleted
  void commit(const std::string &keep_as = "")
  {
    file_->commit(keep_as);
  }

private:
  std::unique_ptr<AtomicFile> file_; ///< only on rank 0
  std::unique_ptr<FilePart> own_part_;
};
} // namespace strut
