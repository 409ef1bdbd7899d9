// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>

namespace strut::plugin
{
/// A file whose contents mostly grow at the end: what is new is appended in one write, which takes a thirtieth of the time of a
/// file that is written beside and renamed, and readers that follow the file see it.
class GrowingFile
{
public:
  explicit GrowingFile(std::string file_name);

  /// The file has these contents. If it has what the last call left there, and they begin with that, the rest is appended; else
  /// the file is replaced (AtomicFile). Throws Error with the path and the system's reason; the file then is as it was.
  void write(std::string_view contents);

private:
  /// @return false: the file is not as the last call left it
  bool append(std::string_view rest) const;

  const std::string file_name_;
  std::string written_; ///< by the last call
};
} // namespace strut::plugin
