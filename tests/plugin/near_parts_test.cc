// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Parts of a mesh that nearly touch, and were probably meant to be joined.
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/touching_blocks.h"

namespace strut
{
namespace
{
using test::behind;
using test::blocks_deck;
using test::left;
using test::tie;

/// The log of two blocks with a gap between them.
class NearParts : public ProblemTest
{
protected:
  std::string log(const double gap, const std::string &entries)
  {
    return setup(blocks_deck({left, behind(gap)}, entries) + test::held_at_both_ends).describe();
  }
};

TEST_F(NearParts, AreToldWhereAnEntryJoinsNothing)
{
  for (const auto &[entries, names] :
       {std::make_pair(test::merge_nodes, "'Merge nodes'"),
        std::make_pair(tie, "'Tie touching faces'"),
        std::make_pair(test::merge_nodes + tie, "'Merge nodes' and 'Tie touching faces'")})
    {
      const std::string text = log(4e-5, entries);
      EXPECT_CONTAINS(text,
                      std::string("  NOTE: ") + names +
                        " in Mesh / File joined nothing: part 1 and part 2 are 4e-05 apart at (2");
      EXPECT_CONTAINS(text, "10 times the tolerance of 4e-06, a millionth of the longest side");
    }
  // so wide a gap is reported only on request
  EXPECT_CONTAINS(log(0.03, test::merge_nodes), "joined nothing: part 1 and part 2 are 0.03 apart");
  EXPECT_CONTAINS(log(0.5, test::merge_nodes),
                  "joined nothing: no two parts that share no nodes are");
  EXPECT_CONTAINS(
    setup(blocks_deck({left}, test::merge_nodes) + test::held_at_both_ends).describe(),
    "'Merge nodes' in Mesh / File joined nothing: the mesh is one part already");
}

TEST_F(NearParts, AreToldWhereNobodyAsks)
{
  const std::string text = log(4e-5, "");
  EXPECT_CONTAINS(
    text, "  NOTE: parts of the mesh nearly touch, and are not joined: part 1 and part 2 are");
  EXPECT_LACKS(log(0.03, ""), "NOTE: parts of the mesh") << "a gap that somebody wants";
}

TEST_F(NearParts, AreNotToldWhereTheyAreJoined)
{
  for (const std::string &entries : {test::merge_nodes, tie})
    {
      EXPECT_LACKS(log(0., entries), "NOTE: parts");
      EXPECT_LACKS(log(0., entries), "joined nothing");
    }
}
} // namespace
} // namespace strut
