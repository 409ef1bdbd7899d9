// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/growing_file.h"

#include "plugin/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace strut
{
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
} // namespace strut
