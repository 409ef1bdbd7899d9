// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "tests/plugin/text_checks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace strut
{
/// A test in a new working directory, so that messages name files by short, known paths.
class InEmptyDirectory : public testing::Test
{
protected:
  void SetUp() override
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "strut-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("cannot make a directory " + pattern);
    directory_ = std::filesystem::canonical(pattern);
    before_    = std::filesystem::current_path();
    std::filesystem::current_path(directory_);
  }

  void TearDown() override
  {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(directory_);
  }

  static void write(const std::string &file, const std::string &text)
  {
    const auto parent = std::filesystem::path(file).parent_path();
    if (!parent.empty())
      std::filesystem::create_directories(parent);
    std::ofstream(file) << text;
  }

  std::filesystem::path directory_;

private:
  std::filesystem::path before_;
};
} // namespace strut
