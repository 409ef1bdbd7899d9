// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strut
{
/// A ZIP archive in memory (PKWARE's APPNOTE 6.3, without ZIP64). Members are deflated, or stored
/// if that is not longer. Equal members make equal bytes, as their time is always 1 January 1980.
class ZipArchive
{
public:
  /// Adds a member. Throws Error if the archive would exceed the 4 GB of its format. @param name
  /// UTF-8, with '/' between folders
  void add(const std::string &name, std::string_view contents);

  /// The complete archive, after the last member.
  std::string bytes() const;

private:
  std::string members_;
  std::string directory_;
  std::uint16_t n_members_ = 0;
};
} // namespace strut
