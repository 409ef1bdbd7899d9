// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/atomic_file.h"

#include <strut/base/exceptions.h>

#include "distributed_problem.h"
#include "limit_of_file_size.h"

namespace strut
{
namespace
{
using OutputGrowingFile = FolderOfOneRank;

TEST_F(OutputGrowingFile, GrowsForThoseWhoFollowIt)
{
  const std::string name = folder + "/a.csv";
  GrowingFile file(name);
  file.write("n\n1\n");
  std::ifstream reader(name); // like tail -f
  std::string line;
  for (int n = 1; n <= 3; ++n)
    {
      std::string expected = "n\n";
      for (int k = 1; k <= n; ++k)
        expected += std::to_string(k) + '\n';
      file.write(expected);
      EXPECT_EQ(file_contents(name), expected);
    }
  std::string seen;
  while (std::getline(reader, line))
    seen += line + '\n';
  EXPECT_EQ(seen, "n\n1\n2\n3\n");
}

// Rows that change, and what others do to the file.
TEST_F(OutputGrowingFile, IsReplacedWhereItDoesNotGrow)
{
  const std::string name = folder + "/a.csv";
  write_file_atomically(name, "of an earlier run, and longer than what comes now");
  GrowingFile file(name);
  const auto expect_written = [&](const std::string &text) {
    file.write(text);
    EXPECT_EQ(file_contents(name), text);
  };
  expect_written("n\n1\n");
  expect_written("n\n2\n3\n");
  expect_written("n\n2\n");
  std::filesystem::remove(name);
  expect_written("n\n2\n3\n");
  write_file_atomically(name, "n\n");
  expect_written("n\n2\n3\n4\n");
}

TEST_F(OutputGrowingFile, IsAsItWasWhereARowFindsNoRoom)
{
  const std::string name = folder + "/a.csv", row(60, '1');
  GrowingFile file(name);
  file.write("n\n" + row);
  {
    const LimitOfFileSize limit(100); // some of the row has room
    EXPECT_CONTAINS(message_of<Error>([&] { file.write("n\n" + row + row); }), name);
    EXPECT_EQ(file_contents(name), "n\n" + row);
  }
  file.write("n\n" + row + row + row);
  EXPECT_EQ(file_contents(name), "n\n" + row + row + row);
}
} // namespace
} // namespace strut
