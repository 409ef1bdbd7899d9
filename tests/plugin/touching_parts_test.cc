// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/touching_blocks.h"

#include "plugin/deck/mesh/bodies.h"

namespace strut
{
namespace
{
using test::behind;
using test::Block;
using test::blocks_deck;
using test::left;
using test::tie;

FacePoints square(const double x, const double y, const double z, const double size, const bool up)
{
  FacePoints face = {{{x, y, z}, {x + size, y, z}, {x + size, y + size, z}, {x, y + size, z}}};
  if (!up)
    std::reverse(face.begin(), face.end());
  return face;
}

TEST(TouchingFacesTest, OverlapsHaveTheirAreas)
{
  const auto area = [](const FacePoints &a, const FacePoints &b) {
    const auto found = find_touching({a, b}, 1e-6);
    return found.empty() ? 0. : found.front().area;
  };
  const FacePoints unit = square(0, 0, 0, 1, true);
  EXPECT_NEAR(area(unit, square(0.5, 0.25, 0, 1, false)), 0.375, 1e-15);
  EXPECT_NEAR(area(square(0.25, 0.25, 0, 0.5, false), unit), 0.25, 1e-15);
  EXPECT_EQ(area(unit, square(0.5, 0.25, 0, 1, true)), 0.) << "on the same side";
  EXPECT_EQ(area(unit, square(0, 0, 1e-3, 1, false)), 0.) << "a gap";
  EXPECT_LT(area(unit, square(1, 0, 0, 1, false)), 1e-15) << "an edge alone";
}

TEST_F(ProblemTest, PartsThatTouchWithoutCommonFacesAreRefused)
{
  const Block finer = behind(0, 3), same = behind(0);
  for (const std::string &rest : {test::clamp + test::end_load, test::held_at_both_ends})
    {
      for (const std::string &entries : {std::string(), test::merge_nodes})
        {
          const std::string text = complaint(blocks_deck({left, finer}, entries) + rest);
          EXPECT_CONTAINS(text, "touch on an area of 4:\n      4 faces and 9, none of them joined");
          EXPECT_CONTAINS(text, entries.empty() ? "; 0 shared nodes" : "; 4 shared nodes");
          EXPECT_LACKS(text, "set Merge nodes = true'");
        }
      const std::string text = complaint(blocks_deck({left, same}, "") + rest);
      EXPECT_CONTAINS(text, "the meshes match there");
      EXPECT_CONTAINS(text, "set Merge nodes = true'");
      EXPECT_EQ(complaint(blocks_deck({left, same}, test::merge_nodes) + rest), "");
    }
  EXPECT_EQ(complaint(blocks_deck({left, behind(0.01, 3)}, test::merge_nodes) +
                      test::held_at_both_ends),
            "");
}

TEST_F(ProblemTest, TiesWorkOnOneRank)
{
  const std::string text =
    complaint(blocks_deck({left, behind(0, 3)}, tie) + test::clamp + test::end_load);
  if (Communicator(MPI_COMM_WORLD).size() == 1)
    EXPECT_EQ(text, "");
  else
    EXPECT_CONTAINS(text, "Ties work on one rank alone.");
}

// A force on the whole boundary does not act between tied faces. If they touch partly, the log says
// that it does.
TEST_F(ProblemTest, TiedFacesLeaveTheBoundary)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    GTEST_SKIP() << "ties work on one rank";
  const std::string force = load("set Boundary ids = 0", "traction", "0, 0, -1");
  const Block small{{{2, 0, 0}}, {{2, 1, 1}}, {{1, 1, 1}}},
    edge{{{2, 0.5, 0.5}}, {{2, 1, 1}}, {{1, 1, 1}}};
  const std::string text = complaint(blocks_deck({left, behind(0, 3)}, tie) + test::clamp + force);
  EXPECT_CONTAINS(text, "Boundary ids");
  const std::string whole =
    setup(blocks_deck({left, small}, tie) + test::clamp + test::end_load).describe();
  EXPECT_CONTAINS(whole, "on an area of 1\n");
  EXPECT_LACKS(whole, "in part only");
  const std::string part =
    setup(blocks_deck({left, edge}, tie) + test::clamp + test::end_load).describe();
  EXPECT_CONTAINS(part, "NOTE: 4 of the faces are tied in part only");
}

TEST_F(ProblemTest, OffsetBricksCannotBeTied)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    GTEST_SKIP() << "ties work on one rank";
  const std::string text = complaint(blocks_deck({{{{0, 0, 0}}, {{10, 5, 10}}, {{3, 2, 5}}},
                                                  {{{10, 0, 0}}, {{10, 5, 10}}, {{4, 3, 4}}},
                                                  {{{0, 5, 0}}, {{7, 5, 10}}, {{4, 3, 3}}},
                                                  {{{7, 5, 0}}, {{13, 5, 10}}, {{5, 4, 6}}}},
                                                 tie) +
                                     test::clamp + test::end_load);
  EXPECT_CONTAINS(text, "cannot be tied");
  EXPECT_CONTAINS(text, "The first is at (");
  EXPECT_CONTAINS(text, "part 4, box [7, 20] x [5, 10] x [0, 10]");
}

TEST_F(ProblemTest, AGapJustAboveTheToleranceIsNamed)
{
  const std::string text =
    complaint(blocks_deck({left, behind(2e-5, 3)}, "") + test::clamp + test::end_load);
  EXPECT_CONTAINS(text, "there is a gap of at most 4e-05 to another part");
}

// A part beside a held one: free, on rollers, on springs, or held.
TEST_F(ProblemTest, PartsThatFloatAreNamed)
{
  const std::string deck = blocks_deck({left, behind(1)}, "") + test::clamp + test::end_load,
                    part = "part 2, box [3, 5] x [0, 2] x [0, 2], material id 2: free to move ",
                    end = section("Springs / end", "set Boundary ids = 2\nset Stiffness = 1, 1, 1"),
                    below =
                      section("Springs / below", "set Boundary ids = 5\nset Stiffness = 0, 0, 1"),
                    rollers =
                      section("Supports / rollers", "set Boundary ids = 5\nset Components = z");
  EXPECT_CONTAINS(complaint(deck), part + "in all six ways");
  for (const std::string &holder : {below, rollers})
    EXPECT_CONTAINS(
      complaint(deck + holder),
      part + "by translation along x; translation along y; rotation about an axis along z");
  EXPECT_EQ(complaint(deck + end), "");
  EXPECT_EQ(complaint(deck + section("Supports / below", "set Boundary ids = 5")), "");
}

TEST_F(ProblemTest, SpringsAloneHoldABody)
{
  const std::string deck = blocks_deck({left}, "") +
                           load("set Boundary ids = 2", "total force", "0, 0, -1"),
                    along_z =
                      section("Springs / wall", "set Boundary ids = 1\nset Stiffness = 0, 0, 1");
  EXPECT_CONTAINS(complaint(deck), "There is no support");
  EXPECT_CONTAINS(complaint(deck + along_z), "leave a rigid motion free: ");
  EXPECT_EQ(complaint(deck +
                      section("Springs / wall", "set Boundary ids = 1\nset Stiffness = 1, 1, 1")),
            "");
}

TEST_F(ProblemTest, TheLogSaysHowManyNodesWereMerged)
{
  EXPECT_CONTAINS(setup(blocks_deck({left, behind(0)}, test::merge_nodes)).describe(),
                  "Merge nodes: 9 nodes of the file");
  EXPECT_LACKS(setup(blocks_deck({left, behind(0)}, "")).describe(), "Merge nodes");
}

TEST_F(ProblemTest, HingesAreNoted)
{
  const Block beside{{{2, 2, 0}}, {{2, 2, 2}}, {{1, 3, 2}}};
  EXPECT_CONTAINS(setup(blocks_deck({left, beside}, test::merge_nodes)).describe(),
                  "hinged there: 3 nodes, first of parts 1 and 2 at (2, 2, 0)");
}

/// A ring of blocks, joined except for one pair of faces, which have separate nodes at the same
/// places.
TEST_F(ProblemTest, SlitsInsideOfAPartAreNoted)
{
  std::vector<Block> ring;
  for (const auto &[x, y] :
       {std::pair(0, 0), {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}})
    ring.push_back({{{double(x), double(y), 0}}, {{1, 1, 1}}, {{1, 1, 1}}});
  const auto is_joined = [](const std::size_t b, const std::array<double, 3> &point) {
    return b < 7 || point[1] > 1.5;
  };
  const std::string rest = section("Supports / all", "set Boundary ids = 1") + test::end_load;
  const std::string deck = blocks_deck(ring, "", is_joined) + rest;
  EXPECT_EQ(complaint(deck), "");
  EXPECT_CONTAINS(setup(deck).describe(), "NOTE: part 1 has a slit of no width");
}
} // namespace
} // namespace strut
