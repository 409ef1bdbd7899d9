// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strut::plugin
{
/// A ZIP archive in memory (PKWARE's APPNOTE 6.3, without ZIP64): members deflated, or stored where that is not longer.
/// The same members make the same bytes: their time is that of the format's beginning, 1980.
class ZipArchive
{
public:
  /// Throws Error where the archive would be larger than its format knows, 4 GB. @param name  UTF-8, with '/' between folders
  void add(const std::string &name, std::string_view contents);

  /// The whole, after the last member.
  std::string bytes() const;

private:
  std::string members_;
  std::string directory_;
  std::uint16_t n_members_ = 0;
};
} // namespace strut::plugin
