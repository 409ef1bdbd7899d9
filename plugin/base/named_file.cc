// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/named_file.h"

#include <strut/base/exceptions.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "plugin/base/spelling.h"
#include "source/base/huge_pages.h"

namespace strut
{
namespace fs = std::filesystem;

NamedFile
NamedFile::find(const std::string &name, const std::string &deck_folder, const std::string &kind)
{
  if (name.empty())
    return {"", "found nothing; name the " + kind + "."};
  const fs::path beside = fs::path(deck_folder) / name;
  for (const fs::path &path : {fs::path(name), beside})
    {
      if (const std::string link = broken_link(path.string()); !link.empty())
        return {"", "\"" + path.string() + "\" is " + link + "; name the " + kind + " itself."};
      std::error_code error; // for names that are too long and folders that cannot be read
      const fs::file_status status = fs::status(path, error);
      if (error && error != std::errc::no_such_file_or_directory &&
          error != std::errc::not_a_directory)
        return {"", "the " + kind + " cannot be looked up: " + error.message() + "."};
      if (fs::is_directory(status))
        return {"", "\"" + path.string() + "\" is a folder; name the " + kind + " in it."};
      if (fs::exists(status))
        return {path.string(), ""};
    }
  std::string tried = "\"" + name + "\"";
  if (fs::path(name).is_relative())
    {
      tried += " from the working directory " + fs::current_path().string();
      if (!deck_folder.empty() && beside.lexically_normal() != fs::path(name))
        tried += ", and \"" + beside.string() + "\" beside the parameter file";
    }
  return {"", "there is no such file; tried " + tried + "."};
}

std::string folder_of(const std::string &file_name)
{
  return fs::path(file_name).parent_path().string();
}

std::string broken_link(const std::string &path)
{
  constexpr std::size_t longest_name = 255;
  std::error_code error;
  if (!fs::is_symlink(path, error) || fs::exists(path, error))
    return "";
  if (error == std::errc::too_many_symbolic_link_levels)
    return "a symbolic link that leads back to itself";
  const std::string target = fs::read_symlink(path, error).string();
  return "a symbolic link to '" + shown(target, longest_name) + "', which does not exist";
}

std::string file_contents(const std::string &file_name)
{
  errno = 0;
  std::ifstream file(file_name, std::ios::binary);
  std::string contents;
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(file_name, error); !error)
    {
      contents.reserve(size + 1);
      cpu::prefer_huge_pages(contents.data(), contents.capacity());
    }
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
