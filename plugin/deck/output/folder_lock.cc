// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include "plugin/deck/output/folder_lock.h"

#include "plugin/base/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

namespace strut
{
namespace
{
/// Returns "process 1234 on node17, since 2026-01-31 12:00:00 +0000".
std::string this_process()
{
  std::array<char, 256> host{}, time{};
  if (::gethostname(host.data(), host.size() - 1) != 0)
    host[0] = '?';
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S %z", &local);
  return "process " + std::to_string(::getpid()) + " on " + host.data() + ", since " + time.data();
}

std::string first_line_of(const int descriptor)
{
  std::array<char, 512> text{};
  const auto n = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const std::string all(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return all.substr(0, all.find('\n'));
}

/// Whether the name still refers to the opened file: its previous holder may have removed it.
bool is_still(const std::string &file_name, const int descriptor)
{
  struct stat opened = {};
  struct stat named  = {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file_name.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}
} // namespace

FolderLock::FolderLock(const std::string &folder) : file_name_(folder + "/strut.lock")
{
  while (true)
    {
      descriptor_ = ::open(file_name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (descriptor_ < 0)
        fail_to_write(file_name_, errno);
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
        break;
      if (is_still(file_name_, descriptor_))
        {
          const std::string holder = this_process() + '\n';
          // The disk is full: the lock holds without the line.
          if (::ftruncate(descriptor_, 0) != 0 ||
              ::pwrite(descriptor_, holder.data(), holder.size(), 0) < 0)
            errno = 0;
          return;
        }
      ::close(descriptor_);
    }

  const int reason         = errno;
  const std::string holder = first_line_of(descriptor_);
  ::close(descriptor_);
  descriptor_ = -1;
  if (reason == EWOULDBLOCK)
    throw Error("Another run writes to \"" + folder +
                "\": " + (holder.empty() ? "a process that has not said which" : holder) +
                ".\nWait until it has ended, or stop it, or set another output directory.");
  remark_ = "the file system of \"" + folder + "\" has no locks (" +
            std::generic_category().message(reason) +
            "): do not start another run there before this one has ended";
}

FolderLock::~FolderLock()
{
  if (descriptor_ < 0)
    return;
  // The file is removed while it is locked, and only if it is still ours.
  if (is_still(file_name_, descriptor_))
    ::unlink(file_name_.c_str());
  ::close(descriptor_);
}
} // namespace strut
