// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "plugin/base/atomic_file.h"

namespace strut::plugin
{
/// An AtomicFile that every rank writes its parts of. All of them must see its folder.
class SharedFile
{
public:
  /// Collective; if that fails, every rank throws the same Error.
  SharedFile(const Communicator &communicator,
             const std::string &file_name,
             Outlives outlives = Outlives::process);

  /// This rank's parts, in any order and from any thread.
  void write_at(const std::uint64_t position, const std::string_view contents)
  {
    own_part_->write_at(position, contents);
  }

  /// This rank has written all. If the file must outlive the machine: until that is on the disk.
  void finish()
  {
    own_part_->finish();
  }

  /// Rank 0, also when all have finished.
  void write_last(const std::uint64_t position, const std::string_view contents)
  {
    file_->overwrite(position, contents);
  }

  /// Rank 0, once all have finished: the file gets its name.
  /// @param keep_as  the name that the file before gets, if there is one; empty: it goes
  void commit(const std::string &keep_as = "")
  {
    file_->commit(keep_as);
  }

private:
  std::unique_ptr<AtomicFile> file_; ///< on rank 0
  std::unique_ptr<FilePart> own_part_;
};
} // namespace strut::plugin
