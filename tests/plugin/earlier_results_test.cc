// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/earlier_results.h"

#include <algorithm>
#include <vector>

#include "in_empty_directory.h"

namespace strut
{
namespace
{
using OutputEarlierResults = InEmptyDirectory;

TEST_F(OutputEarlierResults, AreRemovedAndNothingElse)
{
  const std::vector<std::string> results = {"a.b-0001.vtu",
                                            "a.b-12345.vtu",
                                            "a.b-0002.pvtu",
                                            "a.b-0002.0000.vtu",
                                            "a.b-0003.vtu.tmp",
                                            "a.b-0003.stl",
                                            "a.b-0003.stl.tmp",
                                            "a.b-part.stl",
                                            "a.b-part.3mf.tmp",
                                            "a.b-where.html",
                                            "a.b-where.vtu",
                                            "a.b.pvd",
                                            "a.b.pvd.tmp",
                                            "history.csv",
                                            "timing.csv",
                                            "report.html",
                                            "summary.json"};
  std::vector<std::string> others        = {"a.b-1.vtu",
                                            "a.b-0001.vtu.bak",
                                            "a.b-0001.png",
                                            "a.b-part.step",
                                            "a.b-problem.vtu",
                                            "a.b-best.vtu",
                                            "a.b-0001-copy.vtu",
                                            "axb-0001.vtu",
                                            "my-a.b-0001.vtu",
                                            "a.b2-0001.vtu",
                                            "a.b-0001.0000.pvtu",
                                            "a.b.prm",
                                            "checkpoint.strut",
                                            "checkpoint.previous.strut",
                                            "parameters.prm",
                                            "my-history.csv"};
  for (const auto &list : {results, others})
    for (const std::string &name : list)
      write("out/" + name, name);
  std::filesystem::create_directories("out/a.b-0007.vtu"); // a folder is nobody's result
  others.push_back("a.b-0007.vtu");

  EXPECT_EQ(remove_results_of_earlier_run("out", "a.b"), results.size());
  std::vector<std::string> left;
  for (const auto &entry : std::filesystem::directory_iterator("out"))
    left.push_back(entry.path().filename().string());
  std::sort(left.begin(), left.end());
  std::sort(others.begin(), others.end());
  EXPECT_EQ(left, others);
  EXPECT_EQ(remove_results_of_earlier_run("out", "a.b"), 0U);
  EXPECT_EQ(remove_results_of_earlier_run("missing", "a.b"), 0U);
}
} // namespace
} // namespace strut
