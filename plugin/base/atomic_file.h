// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace strut
{
/// Creates a folder and its parents, if they do not exist. Throws Error with the path and the
/// system's reason.
void create_folder(const std::string &folder);

/// Event that a file with its final name must survive.
enum class Outlives
{
  /// The end of the process, for any reason. The system writes the file to the disk later, within
  /// about half a minute; nobody waits for that.
  process,
  /// A loss of power, too: the file is on the disk before it gets its final name.
  machine
};

/// A file that is written as "<file_name>.tmp" and renamed when it is complete. Readers of
/// `file_name` see the old contents or the new ones, at any time and after any kill. All members
/// throw Error with the path and the system's reason; the old file is then untouched.
class AtomicFile
{
public:
  explicit AtomicFile(std::string file_name, Outlives outlives = Outlives::process);
  /// Removes the unfinished file if commit() was not called.
  ~AtomicFile();
  AtomicFile(const AtomicFile &)            = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void append(std::string_view contents);

  /// Replaces bytes that were appended before.
  void overwrite(std::uint64_t position, std::string_view contents);

  /// Identifies this file among all files of its file system.
  std::uint64_t identity() const;

  /// Bytes appended so far.
  std::uint64_t size() const
  {
    return size_;
  }

  /// Gives the complete file its final name.
  /// @param keep_as  new name of the old file, if there is one; if empty, the old file is deleted
  void commit(const std::string &keep_as = "");

private:
  std::string file_name_;
  std::string beside_;
  Outlives outlives_;
  int descriptor_     = -1;
  std::uint64_t size_ = 0;
};

/// A part of an AtomicFile that another process has begun, perhaps on another machine. The file
/// system may then need a moment until the file is visible here.
class FilePart
{
public:
  /// @param identity  identity() of the AtomicFile
  /// @param patience  how long to search for it
  FilePart(std::string file_name,
           std::uint64_t identity,
           Outlives outlives                  = Outlives::process,
           std::chrono::milliseconds patience = std::chrono::seconds(10));
  ~FilePart();
  FilePart(const FilePart &)            = delete;
  FilePart &operator=(const FilePart &) = delete;

  /// Writes bytes. Thread-safe.
  void write_at(std::uint64_t position, std::string_view contents);

  /// Ends writing. If the file must survive the machine, waits until its parts are on the disk.
  void finish();

private:
  std::string file_name_;
  Outlives outlives_;
  int descriptor_ = -1;
  std::mutex mutex_; ///< protects write_at()
};

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

/// Writes a whole file by AtomicFile.
void write_file_atomically(const std::string &file_name, std::string_view contents);

/// A file whose contents mostly grow at the end. New text is appended in one write, a thirtieth of
/// the time of AtomicFile, and visible to readers that follow the file.
class GrowingFile
{
public:
  explicit GrowingFile(std::string file_name);

  /// Gives the file these contents. If it still has those of the last call, and the new ones begin
  /// with them, the rest is appended; else the file is replaced (AtomicFile). Throws Error with the
  /// path and the system's reason; the file then is unchanged.
  void write(std::string_view contents);

private:
  /// @return false if the file was changed since the last call
  bool append(std::string_view rest) const;

  const std::string file_name_;
  std::string written_; ///< contents written by the last call
};

/// Renames a file, and replaces a file of that name. Throws Error with both names and the system's
/// reason.
void rename_file(const std::string &from, const std::string &to);

/// Throws the Error that a file cannot be written, with the system's reason and a remedy.
[[noreturn]] void fail_to_write(const std::string &file_name, int reason);
} // namespace strut
