// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// As long as it lives, no other process locks the same folder: two runs would replace each other's files.
///
/// The system holds the lock (flock), on the file `strut.lock` in the folder, and drops it when the process
/// ends, however that may be: nobody needs to clean up after a kill. The file says who holds it, and is
/// removed with the lock.
class FolderLock
{
public:
  /// Throws Error if another process holds the lock, with its host, its number and since when, or if the
  /// folder cannot be written to.
  explicit FolderLock(const std::string &folder);
  ~FolderLock();
  FolderLock(const FolderLock &)            = delete;
  FolderLock &operator=(const FolderLock &) = delete;

  /// Why there is no lock, on a file system that has none; else empty.
  const std::string &remark() const
  {
    return remark_;
  }

private:
  std::string file_name_;
  std::string remark_;
  int descriptor_ = -1;
};
} // namespace strut::plugin
