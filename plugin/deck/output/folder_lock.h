// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// A lock on a folder: while it exists, no other process can lock the folder. Two runs would
/// replace each other's files.
///
/// The system holds the lock (flock) on the file `strut.lock` in the folder. It drops the lock when
/// the process ends for any reason, so nothing has to be cleaned up after a kill. The file names
/// the holder, and is removed with the lock.
class FolderLock
{
public:
  /// Throws Error if another process holds the lock, or if the folder cannot be written to. The
  /// message names the process by host, number and start.
  explicit FolderLock(const std::string &folder);
  ~FolderLock();
  FolderLock(const FolderLock &)            = delete;
  FolderLock &operator=(const FolderLock &) = delete;

  /// Why there is no lock, on a file system without locks; otherwise empty.
  const std::string &remark() const
  {
    return remark_;
  }

private:
  std::string file_name_;
  std::string remark_;
  int descriptor_ = -1;
};
} // namespace strut
