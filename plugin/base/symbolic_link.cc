// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/symbolic_link.h"

#include "plugin/base/spelling.h"

#include <filesystem>
#include <system_error>

namespace strut
{
std::string broken_link(const std::string &path)
{
  namespace fs                       = std::filesystem;
  constexpr std::size_t longest_name = 255;
  std::error_code error;
  if (!fs::is_symlink(path, error) || fs::exists(path, error))
    return "";
  if (error == std::errc::too_many_symbolic_link_levels)
    return "a symbolic link that leads back to itself";
  const std::string target = fs::read_symlink(path, error).string();
  return "a symbolic link to '" + shown(target, longest_name) + "', which does not exist";
}
} // namespace strut
