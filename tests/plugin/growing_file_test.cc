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
using OutputGrowingFile = SharedFolder;

TEST_F(OutputGrowingFile, GrowsForThoseWhoFollowIt)
{
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
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
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const std::string name = folder + "/a.csv";
  write_file_atomically(name, "of an earlier run, and longer than what comes now");
  GrowingFile file(name);
  file.write("n\n1\n");
  EXPECT_EQ(file_contents(name), "n\n1\n");
  file.write("n\n2\n3\n");
  EXPECT_EQ(file_contents(name), "n\n2\n3\n");
  file.write("n\n2\n");
  EXPECT_EQ(file_contents(name), "n\n2\n");
  std::filesystem::remove(name);
  file.write("n\n2\n3\n");
  EXPECT_EQ(file_contents(name), "n\n2\n3\n");
  write_file_atomically(name, "n\n");
  file.write("n\n2\n3\n4\n");
  EXPECT_EQ(file_contents(name), "n\n2\n3\n4\n");
}

TEST_F(OutputGrowingFile, IsAsItWasWhereARowFindsNoRoom)
{
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
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
