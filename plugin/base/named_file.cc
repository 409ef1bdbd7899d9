// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/named_file.h"

#include <filesystem>
#include <system_error>

#include "plugin/base/symbolic_link.h"

namespace strut
{
NamedFile
NamedFile::find(const std::string &name, const std::string &deck_folder, const std::string &kind)
{
  namespace fs = std::filesystem;
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
  return std::filesystem::path(file_name).parent_path().string();
}
} // namespace strut
