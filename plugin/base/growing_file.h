// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>

namespace strut
{
/// A file whose contents mostly grow at the end. New text is appended in one write, a thirtieth of
/// the time of AtomicFile, and visible to readers that follow the file.
class GrowingFile
{
public:
  explicit GrowingFile(std::string file_name);

  /// Gives the file these contents. If it still has those of the last call, and the new ones begin
  /// with them, the rest is appended; else the file is replaced (AtomicFile). Throws Error with the
  /// path and the system's reason; the file then is unchanged.
  void write(std::string_view contents);

private:
  /// @return false if the file was changed since the last call
  bool append(std::string_view rest) const;

  const std::string file_name_;
  std::string written_; ///< contents written by the last call
};
} // namespace strut
