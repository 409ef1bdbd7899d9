// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/folder_lock.h"

#include <strut/base/exceptions.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "in_empty_directory.h"

namespace strut
{
namespace
{
using OutputFolderLock = InEmptyDirectory;

std::string message_of_lock(const std::string &folder)
{
  return message_of<Error>([&] { const FolderLock lock(folder); });
}

TEST_F(OutputFolderLock, IsHeldByOneAtATimeAndSaysByWhom)
{
  auto first = std::make_unique<FolderLock>(".");
  EXPECT_EQ(first->remark(), "");
  const std::string message = message_of_lock(".");
  EXPECT_EQ(message.find("Another run writes to \".\": process " + std::to_string(getpid()) +
                         " on "),
            0U)
    << message;
  EXPECT_CONTAINS(message, ", since 20");
  first.reset();
  EXPECT_FALSE(std::filesystem::exists("strut.lock"));
  EXPECT_EQ(message_of_lock("."), "");
}

TEST_F(OutputFolderLock, OfAProcessThatWasKilledIsFree)
{
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0)
    {
      const FolderLock lock(".");
      if (::write(ready[1], "x", 1) == 1)
        pause();
      _exit(1);
    }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_CONTAINS(message_of_lock("."), "process " + std::to_string(child) + " on ");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  EXPECT_TRUE(std::filesystem::exists("strut.lock"));
  EXPECT_EQ(message_of_lock("."), "");
}

TEST_F(OutputFolderLock, LeavesTheFileOfAnotherAloneIfItsOwnWasRemoved)
{
  std::filesystem::create_directory("out");
  auto first = std::make_unique<FolderLock>("out");
  std::filesystem::remove_all("out"); // as a user may do during the run
  std::filesystem::create_directory("out");
  const FolderLock second("out");
  first.reset();
  EXPECT_NE(message_of_lock("out"), "");
}

TEST_F(OutputFolderLock, NeedsAFolderThatCanBeWrittenTo)
{
  EXPECT_EQ(
    message_of_lock("missing"),
    "Cannot write \"missing/strut.lock\": No such file or directory. Create the folder, or name "
    "another one.");
}
} // namespace
} // namespace strut
