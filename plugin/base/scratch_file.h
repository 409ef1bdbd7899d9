// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strut
{
/// Temporary bytes on the disk, in a file without a name, which disappears however the process
/// ends. All members throw Error with the system's reason.
class ScratchFile
{
public:
  /// @param file_name  file in whose folder it is, and for messages @param number  number of the
  /// rank
  ScratchFile(std::string file_name, int number);
  ~ScratchFile();
  ScratchFile(const ScratchFile &)            = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  /// Writes or reads bytes. Thread-safe.
  void write_at(std::uint64_t position, std::string_view contents);
  void read_at(std::uint64_t position, char *bytes, std::size_t n) const;

private:
  std::string file_name_;
  int descriptor_ = -1;
};
} // namespace strut
