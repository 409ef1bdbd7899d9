// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/atomic_file.h"
#include "plugin/base/named_file.h"

#include <strut/base/exceptions.h>

#include "distributed_problem.h"
#include "limit_of_file_size.h"

namespace strut
{
namespace
{
using OutputAtomicFile         = FolderOfOneRank;
using OutputAtomicFileAnywhere = SharedFolder;

std::size_t n_files_in(const std::string &folder)
{
  const std::filesystem::directory_iterator begin(folder);
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

TEST_F(OutputAtomicFile, ReplacesTheOldFileAndLeavesNothingBeside)
{
  const std::string file = folder + "/a.txt";
  const std::string contents("new\0contents\n", 13);
  write_file_atomically(file, "old and longer than the new one");
  write_file_atomically(file, contents);
  EXPECT_EQ(file_contents(file), contents);
  EXPECT_EQ(n_files_in(folder), 1u);
}

TEST_F(OutputAtomicFile, AWriteThatFailsHalfWayLeavesTheOldFile)
{
  const std::string file = folder + "/a.txt";
  write_file_atomically(file, "old");
  std::string message;
  {
    const LimitOfFileSize limit(4096);
    message = message_of<Error>([&] { write_file_atomically(file, std::string(100000, 'x')); });
  }
  EXPECT_CONTAINS(message, file);
  EXPECT_CONTAINS(message, "File too large");
  EXPECT_EQ(file_contents(file), "old");
  EXPECT_EQ(n_files_in(folder), 1u);
}

TEST_F(OutputAtomicFile, ARenameThatFailsLeavesNothingBeside)
{
  const std::string target = folder + "/is_a_folder";
  std::filesystem::create_directory(target);
  const std::string message = message_of<Error>([&] { write_file_atomically(target, "text"); });
  EXPECT_CONTAINS(message, target);
  EXPECT_CONTAINS(message, "Is a directory");
  EXPECT_EQ(n_files_in(folder), 1u);
}

TEST_F(OutputAtomicFileAnywhere, NamesTheMissingFolder)
{
  const std::string message =
    message_of<Error>([&] { write_file_atomically(folder + "/missing/a.txt", "text"); });
  EXPECT_CONTAINS(message, folder + "/missing/a.txt");
  EXPECT_CONTAINS(message, "No such file or directory. Create the folder");
}

TEST_F(OutputAtomicFile, CreatesFoldersAndNamesWhatIsInTheWay)
{
  create_folder(folder + "/a/b/c");
  create_folder(folder + "/a/b/c");
  create_folder(folder + "/a/b/d/");
  EXPECT_TRUE(std::filesystem::is_directory(folder + "/a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(folder + "/a/b/d"));

  write(folder + "/file", "text");
  for (const char *const below : {"/file", "/file/below"})
    EXPECT_CONTAINS(message_of<Error>([&] { create_folder(folder + below); }),
                    "\"" + folder + below + "\": Not a directory");
}

// The file before stays under its second name, once there is one; nothing else is left.
TEST_F(OutputAtomicFile, KeepsTheFileBefore)
{
  const std::string name = folder + "/file";
  const std::string kept = folder + "/kept";
  for (const char *const contents : {"1", "2", "3"})
    {
      AtomicFile file(name);
      file.append(contents);
      file.commit(kept);
      EXPECT_EQ(file_contents(name), contents);
    }
  EXPECT_EQ(file_contents(kept), "2");
  EXPECT_EQ(n_files_in(folder), 2u);
}

// A folder has the second name. The new file exists nevertheless, and no third one.
TEST_F(OutputAtomicFile, LeavesNothingWhereTheFileBeforeCannotBeKept)
{
  const std::string name = folder + "/file";
  const std::string kept = folder + "/kept";
  std::filesystem::create_directory(kept);
  write(name, "1");
  AtomicFile file(name);
  file.append("2");
  file.commit(kept);
  EXPECT_EQ(file_contents(name), "2");
  EXPECT_FALSE(std::filesystem::exists(kept + ".tmp"));
}

TEST_F(OutputAtomicFile, IsReadWholeOrNotAtAll)
{
  const std::string contents(200'000, 'x');
  write(folder + "/long", contents);
  write(folder + "/empty", "");
  EXPECT_EQ(file_contents(folder + "/long"), contents);
  EXPECT_EQ(file_contents(folder + "/empty"), "");
  for (const std::string &name : {folder + "/missing", folder})
    EXPECT_CONTAINS(message_of<Error>([&] { file_contents(name); }),
                    "Cannot read \"" + name + "\": ");
}

TEST_F(OutputAtomicFile, HasPartsOfOthers)
{
  const std::string name = folder + "/file";
  AtomicFile file(name);
  file.append("..");
  FilePart part(name, file.identity());
  part.write_at(4, "56");
  part.finish();
  file.overwrite(2, "34");
  file.commit();
  EXPECT_EQ(file_contents(name), "..3456");
}

// Another file of the same name is not the one that was begun.
TEST_F(OutputAtomicFile, RefusesPartsOfAnotherFile)
{
  const std::string name = folder + "/file";
  AtomicFile file(name);
  for (const std::uint64_t identity : {file.identity() + 1, file.identity()})
    {
      if (identity == file.identity())
        std::filesystem::remove(name + ".tmp");
      const auto take = [&] {
        const FilePart part(name, identity, Outlives::process, std::chrono::milliseconds(0));
      };
      EXPECT_CONTAINS(message_of<Error>(take), "Name a folder that all ranks see");
    }
}
} // namespace
} // namespace strut
