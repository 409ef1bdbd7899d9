// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/atomic_file.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace strut::plugin
{
namespace
{
class AtomicFileTest : public testing::Test
{
protected:
  void SetUp() override
  {
    folder = testing::TempDir() + "strut-atomic-" + std::to_string(::getpid());
    std::filesystem::create_directories(folder);
    name = folder + "/file";
  }
  void TearDown() override
  {
    std::filesystem::remove_all(folder);
  }

  static std::string contents_of(const std::string &file_name)
  {
    std::ifstream stream(file_name, std::ios::binary);
    std::ostringstream contents;
    contents << stream.rdbuf();
    return contents.str();
  }
  std::size_t n_files() const
  {
    const std::filesystem::directory_iterator files(folder);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  std::string folder, name;
};

// The file before stays under its second name, once there is one; nothing else is left.
TEST_F(AtomicFileTest, KeepsTheFileBefore)
{
  const std::string kept = folder + "/kept";
  for (const char *const contents : {"1", "2", "3"})
    {
      AtomicFile file(name);
      file.append(contents);
      file.commit(kept);
      EXPECT_EQ(contents_of(name), contents);
    }
  EXPECT_EQ(contents_of(kept), "2");
  EXPECT_EQ(n_files(), 2u);
}

TEST_F(AtomicFileTest, HasPartsOfOthers)
{
  AtomicFile file(name);
  file.append("..");
  FilePart part(name, file.identity());
  part.write_at(4, "56");
  part.finish();
  file.overwrite(2, "34");
  file.commit();
  EXPECT_EQ(contents_of(name), "..3456");
}

// Another file of the same name is not the one that was begun.
TEST_F(AtomicFileTest, RefusesPartsOfAnotherFile)
{
  AtomicFile file(name);
  for (const std::uint64_t identity : {file.identity() + 1, file.identity()})
    {
      if (identity == file.identity())
        std::filesystem::remove(name + ".tmp");
      try
        {
          const FilePart part(name, identity, std::chrono::milliseconds(0));
          FAIL() << "takes another file";
        }
      catch (const Error &error)
        {
          EXPECT_NE(std::string(error.what()).find("Name a folder that all ranks see"),
                    std::string::npos);
        }
    }
}
} // namespace
} // namespace strut::plugin
