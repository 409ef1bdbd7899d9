// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "plugin/base/atomic_file.h"

namespace strut
{
ScratchFile::ScratchFile(std::string file_name, const int number) : file_name_(std::move(file_name))
{
  const std::string path = file_name_ + ".tmp." + std::to_string(number);
  descriptor_            = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0)
    fail_to_write(file_name_, errno);
  ::unlink(path.c_str());
}

ScratchFile::~ScratchFile()
{
  ::close(descriptor_);
}

void ScratchFile::write_at(std::uint64_t position, std::string_view contents)
{
  while (!contents.empty())
    {
      const auto n =
        ::pwrite(descriptor_, contents.data(), contents.size(), static_cast<off_t>(position));
      if (n < 0 && errno != EINTR)
        fail_to_write(file_name_, errno);
      if (n > 0)
        {
          contents.remove_prefix(static_cast<std::size_t>(n));
          position += static_cast<std::uint64_t>(n);
        }
    }
}

void ScratchFile::read_at(std::uint64_t position, char *bytes, std::size_t n) const
{
  while (n > 0)
    {
      const auto n_read = ::pread(descriptor_, bytes, n, static_cast<off_t>(position));
      if (n_read == 0 || (n_read < 0 && errno != EINTR))
        fail_to_write(file_name_, n_read == 0 ? EIO : errno);
      if (n_read > 0)
        {
          bytes += n_read;
          n -= static_cast<std::size_t>(n_read);
          position += static_cast<std::uint64_t>(n_read);
        }
    }
}
} // namespace strut
