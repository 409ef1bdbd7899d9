// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "plugin/base/attempt.h"

namespace strut
{
namespace
{
std::string advice(const int reason)
{
  switch (reason)
    {
      case ENOENT:
        return "Create the folder, or name another one.";
      case EACCES:
      case EPERM:
      case EROFS:
        return "Name a folder that you may write to.";
      case ENOSPC:
      case EDQUOT:
      case EFBIG:
        return "Make room on the disk, or write fewer results.";
      default:
        return "Check the path, or name another folder.";
    }
}

[[noreturn]] void fail(const std::string &action, const std::string &path, const int reason)
{
  throw Error("Cannot " + action + " \"" + path + "\": " + std::generic_category().message(reason) +
              ". " + advice(reason));
}

constexpr const char *beside = ".tmp"; ///< suffix of a file that is not complete yet

/// Takes a large file that is about to be replaced, and lets go of it in the background. The system
/// frees its pages and its room on the disk when nobody has it any more, which takes a fifth of a
/// second for a gigabyte.
class ReplacedFile
{
public:
  explicit ReplacedFile(const std::string &file_name)
  {
    constexpr off_t large = 32 << 20;
    struct stat status    = {};
    if (::lstat(file_name.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= large)
      descriptor_ = ::open(file_name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  }
  ReplacedFile(const ReplacedFile &)            = delete;
  ReplacedFile &operator=(const ReplacedFile &) = delete;
  ~ReplacedFile()
  {
    if (descriptor_ < 0)
      return;
    try
      {
        std::thread([descriptor = descriptor_] { ::close(descriptor); }).detach();
      }
    catch (...) // there is no further thread, or no memory for it
      {
        ::close(descriptor_);
      }
  }

private:
  int descriptor_ = -1;
};

void write_at(const int descriptor,
              std::uint64_t position,
              std::string_view contents,
              const std::string &file_name)
{
  // Linux moves at most 2 GiB a call.
  constexpr std::size_t largest_piece = std::size_t(1) << 30;
  while (!contents.empty())
    {
      const auto n = ::pwrite(descriptor,
                              contents.data(),
                              std::min(contents.size(), largest_piece),
                              static_cast<off_t>(position));
      if (n < 0 && errno != EINTR)
        fail("write", file_name, errno);
      if (n > 0)
        {
          contents.remove_prefix(static_cast<std::size_t>(n));
          position += static_cast<std::uint64_t>(n);
        }
    }
}

std::uint64_t identity_of(const int descriptor)
{
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_ino) : 0;
}

/// Interval between two attempts to find the file of another process.
constexpr auto between_looks = std::chrono::milliseconds(100);

/// Closes a file. Some file systems detect only now that the disk is full. @return why it failed,
/// or 0
int close_whole(int &descriptor, const Outlives outlives)
{
  int reason = 0;
  if (outlives == Outlives::machine && ::fsync(descriptor) != 0 && errno != EINVAL &&
      errno != EROFS)
    reason = errno;
  if (::close(descriptor) != 0 && reason == 0)
    reason = errno;
  descriptor = -1;
  return reason;
}
} // namespace

void create_folder(const std::string &folder)
{
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    fail("create the folder", folder, error.value());
}

AtomicFile::AtomicFile(std::string file_name, const Outlives outlives)
  : file_name_(std::move(file_name)), beside_(file_name_ + beside), outlives_(outlives)
{
  descriptor_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail("write", file_name_, errno);
}

AtomicFile::~AtomicFile()
{
  if (descriptor_ < 0)
    return;
  ::close(descriptor_);
  ::unlink(beside_.c_str());
}

void AtomicFile::append(const std::string_view contents)
{
  write_at(descriptor_, size_, contents, file_name_);
  size_ += contents.size();
}

void AtomicFile::overwrite(const std::uint64_t position, const std::string_view contents)
{
  write_at(descriptor_, position, contents, file_name_);
}

void AtomicFile::commit(const std::string &keep_as)
{
  int reason = close_whole(descriptor_, outlives_);
  const ReplacedFile replaced(keep_as.empty() ? file_name_ : keep_as);
  // The old file gets a second name, which becomes keep_as once the new file has its name. A kill
  // at any time so leaves two complete files, or the new one and the former keep_as.
  const std::string aside = keep_as + beside;
  bool has_aside          = false;
  if (reason == 0 && !keep_as.empty())
    {
      ::unlink(aside.c_str());
      has_aside = ::link(file_name_.c_str(), aside.c_str()) == 0;
      if (!has_aside && errno != ENOENT) // file systems without hard links
        std::rename(file_name_.c_str(), keep_as.c_str());
    }
  if (reason == 0 && std::rename(beside_.c_str(), file_name_.c_str()) != 0)
    reason = errno;
  // on failure the former keep_as stays
  const bool is_kept = reason == 0 && has_aside && std::rename(aside.c_str(), keep_as.c_str()) == 0;
  if (has_aside && !is_kept)
    ::unlink(aside.c_str());
  if (reason != 0)
    {
      ::unlink(beside_.c_str());
      fail("write", file_name_, reason);
    }
}

std::uint64_t AtomicFile::identity() const
{
  return identity_of(descriptor_);
}

FilePart::FilePart(std::string file_name,
                   const std::uint64_t identity,
                   const Outlives outlives,
                   const std::chrono::milliseconds patience)
  : file_name_(std::move(file_name)), outlives_(outlives)
{
  const std::string path = file_name_ + beside;
  int reason             = 0;
  for (std::chrono::milliseconds waited{0}; waited <= patience; waited += between_looks)
    {
      descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      reason      = descriptor_ < 0 ? errno : 0;
      if (descriptor_ >= 0 && identity_of(descriptor_) == identity)
        return;
      if (descriptor_ >= 0)
        ::close(descriptor_);
      descriptor_ = -1;
      if (reason != 0 && reason != ENOENT && reason != ESTALE)
        break;
      std::this_thread::sleep_for(between_looks);
    }
  if (reason != 0 && reason != ENOENT && reason != ESTALE)
    fail("write", file_name_, reason);
  throw Error(
    "Cannot write \"" + file_name_ +
    "\": the first rank has made the file, and this one does not see it. Name a folder that all ranks see.");
}

FilePart::~FilePart()
{
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

void FilePart::write_at(const std::uint64_t position, const std::string_view contents)
{
  {
    // ext4 and xfs admit one writing thread per file, and the others would busy-wait
    const std::lock_guard<std::mutex> lock(mutex_);
    strut::write_at(descriptor_, position, contents, file_name_);
  }
  // starts writing to the disk now, so that finish() waits less
  if (outlives_ == Outlives::machine)
    ::sync_file_range(descriptor_,
                      static_cast<off_t>(position),
                      static_cast<off_t>(contents.size()),
                      SYNC_FILE_RANGE_WRITE);
}

void FilePart::finish()
{
  if (const int reason = close_whole(descriptor_, outlives_); reason != 0)
    fail("write", file_name_, reason);
}

SharedFile::SharedFile(const Communicator &communicator,
                       const std::string &file_name,
                       const Outlives outlives)
{
  std::uint64_t identity = 0;
  on_root(communicator, [&] {
    file_    = std::make_unique<AtomicFile>(file_name, outlives);
    identity = file_->identity();
  });
  if (communicator.size() > 1)
    MPI_Bcast(&identity, 1, MPI_UINT64_T, 0, communicator.mpi());
  attempt_together(communicator,
                   [&] { own_part_ = std::make_unique<FilePart>(file_name, identity, outlives); });
}

void write_file_atomically(const std::string &file_name, const std::string_view contents)
{
  AtomicFile file(file_name);
  file.append(contents);
  file.commit();
}

GrowingFile::GrowingFile(std::string file_name) : file_name_(std::move(file_name))
{}

void GrowingFile::write(const std::string_view contents)
{
  const bool grows =
    !written_.empty() && contents.substr(0, written_.size()) == std::string_view(written_);
  if (!grows || !append(contents.substr(written_.size())))
    write_file_atomically(file_name_, contents);
  written_ = contents;
}

bool GrowingFile::append(const std::string_view rest) const
{
  const int descriptor = ::open(file_name_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) != written_.size())
    {
      ::close(descriptor);
      return false;
    }
  const auto n     = ::pwrite(descriptor, rest.data(), rest.size(), status.st_size);
  const bool whole = n == static_cast<ssize_t>(rest.size());
  int reason       = n < 0 ? errno : whole ? 0 : ENOSPC;
  if (!whole && ::ftruncate(descriptor, status.st_size) != 0)
    reason = errno; // a part of a row may be written, which the next call detects
  if (::close(descriptor) != 0 && reason == 0)
    reason = errno;
  if (reason != 0)
    fail_to_write(file_name_, reason);
  return true;
}

void rename_file(const std::string &from, const std::string &to)
{
  if (std::rename(from.c_str(), to.c_str()) != 0)
    fail("rename \"" + from + "\" to", to, errno);
}

void fail_to_write(const std::string &file_name, const int reason)
{
  fail("write", file_name, reason);
}
} // namespace strut
