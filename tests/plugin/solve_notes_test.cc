// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/solve_notes.h"

#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
TEST(SolveNotesTest, NamesTheSettingsThatTheDeckDoesNotHave)
{
  const std::string note = describe_slow_solves(123, "multigrid", {}, true, true);
  EXPECT_CONTAINS(note, "123 PCG iterations");
  EXPECT_CONTAINS(
    note,
    "In subsection Solver 'Coarse operators = aggregation' (for thin walls and lattices)\n    or "
    "'Rigid pieces = yes' (for islands");

  const std::string other =
    describe_slow_solves(60, "multigrid", {{"Coarse operators", "aggregation"}}, true, true);
  EXPECT_LACKS(other, "Coarse operators");
  EXPECT_CONTAINS(other, "Rigid pieces");
}

TEST(SolveNotesTest, SaysNothingWhereNothingWouldHelp)
{
  EXPECT_EQ(describe_slow_solves(59, "multigrid", {}, true, true), "");
  EXPECT_EQ(describe_slow_solves(500, "jacobi", {}, true, true), "");
  EXPECT_EQ(describe_slow_solves(500,
                                 "multigrid",
                                 {{"Coarse operators", "aggregation"}, {"Rigid pieces", "yes"}},
                                 true,
                                 true),
            "");
  EXPECT_EQ(
    describe_slow_solves(500, "multigrid", {{"Coarse operators", "aggregation"}}, false, true), "");
  EXPECT_EQ(describe_slow_solves(500, "multigrid", {}, true, false), "");
}
} // namespace
} // namespace strut
