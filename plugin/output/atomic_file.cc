// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include "plugin/output/atomic_file.h"

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

/// @return 0, or the system's reason
int write_all(const int descriptor, std::string_view contents)
{
  // Linux moves at most 2 GiB a call.
  constexpr std::size_t largest_piece = std::size_t(1) << 30;
  while (!contents.empty())
    {
      const auto n = ::write(descriptor, contents.data(), std::min(contents.size(), largest_piece));
      if (n < 0 && errno != EINTR)
        return errno;
      if (n > 0)
        contents.remove_prefix(static_cast<std::size_t>(n));
    }
  // Some file systems find out only now that the disk is full.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
    return errno;
  return 0;
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

void write_file_atomically(const std::string &file_name, const std::string_view contents)
{
  const std::string beside = file_name + ".tmp";
  const int descriptor     = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    fail("write", file_name, errno);

  int reason = write_all(descriptor, contents);
  if (::close(descriptor) != 0 && reason == 0)
    reason = errno;
  if (reason == 0 && std::rename(beside.c_str(), file_name.c_str()) != 0)
    reason = errno;
  if (reason != 0)
    {
      ::unlink(beside.c_str());
      fail("write", file_name, reason);
    }
}
} // namespace strut::plugin
