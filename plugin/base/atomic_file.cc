// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace strut::plugin
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

[[noreturn]] void fail(const std::string &what, const std::string &path, const int reason)
{
  throw Error("Cannot " + what + " \"" + path + "\": " + std::generic_category().message(reason) +
              ". " + advice(reason));
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

AtomicFile::AtomicFile(std::string file_name)
  : file_name_(std::move(file_name)), beside_(file_name_ + ".tmp")
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
  write_at(size_, contents);
  size_ += contents.size();
}

void AtomicFile::overwrite(const std::uint64_t position, const std::string_view contents)
{
  write_at(position, contents);
}

void AtomicFile::write_at(std::uint64_t position, std::string_view contents)
{
  // Linux moves at most 2 GiB a call.
  constexpr std::size_t largest_piece = std::size_t(1) << 30;
  while (!contents.empty())
    {
      const auto n = ::pwrite(descriptor_,
                              contents.data(),
                              std::min(contents.size(), largest_piece),
                              static_cast<off_t>(position));
      if (n < 0 && errno != EINTR)
        fail("write", file_name_, errno);
      if (n > 0)
        {
          contents.remove_prefix(static_cast<std::size_t>(n));
          position += static_cast<std::uint64_t>(n);
        }
    }
}

void AtomicFile::commit()
{
  // Some file systems find out only now that the disk is full.
  int reason = ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
  if (::close(descriptor_) != 0 && reason == 0)
    reason = errno;
  descriptor_ = -1;
  if (reason == 0 && std::rename(beside_.c_str(), file_name_.c_str()) != 0)
    reason = errno;
  if (reason != 0)
    {
      ::unlink(beside_.c_str());
      fail("write", file_name_, reason);
    }
}

void write_file_atomically(const std::string &file_name, const std::string_view contents)
{
  AtomicFile file(file_name);
  file.append(contents);
  file.commit();
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
} // namespace strut::plugin
