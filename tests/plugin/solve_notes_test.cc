// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/solve_notes.h"

#include <gtest/gtest.h>

namespace strut
{
namespace
{
bool names(const std::string &note, const std::string &entry)
{
  return note.find(entry) != std::string::npos;
}

TEST(SolveNotesTest, NamesTheSettingsThatTheDeckDoesNotHave)
{
  const std::string note = describe_slow_solves(123, "multigrid", {}, true);
  EXPECT_TRUE(names(note, "123 PCG iterations"));
  EXPECT_TRUE(names(
    note,
    "In subsection Solver 'Coarse operators = aggregation' (for thin walls and lattices)\n    or "
    "'Rigid pieces = yes' (for islands"));

  const std::string other =
    describe_slow_solves(60, "multigrid", {{"Coarse operators", "aggregation"}}, true);
  EXPECT_FALSE(names(other, "Coarse operators"));
  EXPECT_TRUE(names(other, "Rigid pieces"));
}

TEST(SolveNotesTest, SaysNothingWhereNothingWouldHelp)
{
  EXPECT_EQ(describe_slow_solves(59, "multigrid", {}, true), "");
  EXPECT_EQ(describe_slow_solves(500, "jacobi", {}, true), "");
  EXPECT_EQ(describe_slow_solves(500,
                                 "multigrid",
                                 {{"Coarse operators", "aggregation"}, {"Rigid pieces", "yes"}},
                                 true),
            "");
  EXPECT_EQ(describe_slow_solves(500, "multigrid", {{"Coarse operators", "aggregation"}}, false),
            "");
}
} // namespace
} // namespace strut
