// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/file_contents.h"

#include <strut/base/exceptions.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

namespace strut
{
std::string file_contents(const std::string &file_name)
{
  errno = 0;
  std::ifstream file(file_name, std::ios::binary);
  std::string contents;
  // stream operators would silently end the text without memory
  std::vector<char> block(std::size_t(1) << 16);
  while (file &&
         (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0))
    contents.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (!file.eof() || file.bad())
    throw Error("Cannot read \"" + file_name +
                "\": " + std::generic_category().message(errno == 0 ? EIO : errno) +
                ". Name a file that you may read.");
  return contents;
}
} // namespace strut
