// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace strut::plugin
{
/// Create a folder and those above it; one that exists is fine. Throws Error with the path and the
/// system's reason.
void create_folder(const std::string &folder);

/// What a file that has its name must outlive.
enum class Outlives
{
  /// The end of the process, whatever ends it. The system writes the file to the disk in its own time, within half a
  /// minute or so: nobody waits for that.
  process,
  /// A loss of power, too: the file is on the disk before it gets its name.
  machine
};

/// A file that is written as "<file_name>.tmp" and renamed when it is whole: whoever reads
/// `file_name`, at any time and after any kill, finds the old contents or the new ones. Everything
/// throws Error with the path and the system's reason; the old file is then untouched.
class AtomicFile
{
public:
  explicit AtomicFile(std::string file_name, Outlives outlives = Outlives::process);
  /// Without commit(): removes the unfinished file.
  ~AtomicFile();
  AtomicFile(const AtomicFile &)            = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void append(std::string_view contents);

  /// Replace bytes that were appended before.
  void overwrite(std::uint64_t position, std::string_view contents);

  /// What tells this file from all others of its file system.
  std::uint64_t identity() const;

  /// Bytes appended so far.
  std::uint64_t size() const
  {
    return size_;
  }

  /// The file is whole: it gets its name.
  /// @param keep_as  the name that the file before gets, if there is one; empty: it goes
  void commit(const std::string &keep_as = "");

private:
  std::string file_name_;
  std::string beside_;
  Outlives outlives_;
  int descriptor_     = -1;
  std::uint64_t size_ = 0;
};

/// A part of an AtomicFile that another process has begun, perhaps on another machine, whose file system may
/// need a moment until it shows here.
class FilePart
{
public:
  /// @param identity  of the AtomicFile
  /// @param patience  how long to look for it
  FilePart(std::string file_name,
           std::uint64_t identity,
           Outlives outlives                  = Outlives::process,
           std::chrono::milliseconds patience = std::chrono::seconds(10));
  ~FilePart();
  FilePart(const FilePart &)            = delete;
  FilePart &operator=(const FilePart &) = delete;

  /// From any thread.
  void write_at(std::uint64_t position, std::string_view contents);

  /// All is written. If the file must outlive the machine: until all of it is on the disk.
  void finish();

private:
  std::string file_name_;
  Outlives outlives_;
  int descriptor_ = -1;
  std::mutex mutex_; ///< of write_at()
};

/// All of an AtomicFile at once.
void write_file_atomically(const std::string &file_name, std::string_view contents);

/// Give a file another name in place of a file that has it. Throws Error with both and the system's
/// reason.
void rename_file(const std::string &from, const std::string &to);

/// Throw Error that a file cannot be written, with the system's reason and what to do.
[[noreturn]] void fail_to_write(const std::string &file_name, int reason);
} // namespace strut::plugin
