// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Loads on node sets that contain all nodes of some faces.
#include "tests/plugin/problem_fixture.h"

namespace strut
{
namespace
{
/// A column of two elements, 1 x 1 x 0.25 and 1 x 1 x 0.75. The nodes at x = 1 are "end", and those
/// at its lower edge "edge". The set "more" is the end with a node behind it.
const std::string graded = "*NODE\n"
                           "1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"
                           "5, 0, 0, 0.25\n6, 1, 0, 0.25\n7, 1, 1, 0.25\n8, 0, 1, 0.25\n"
                           "9, 0, 0, 1\n10, 1, 0, 1\n11, 1, 1, 1\n12, 0, 1, 1\n"
                           "*ELEMENT, TYPE=C3D8, ELSET=all\n"
                           "1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 5, 6, 7, 8, 9, 10, 11, 12\n"
                           "*NSET, NSET=wall\n1, 4, 5, 8, 9, 12\n"
                           "*NSET, NSET=end\n2, 3, 6, 7, 10, 11\n"
                           "*NSET, NSET=edge\n2, 3\n"
                           "*NSET, NSET=more\nend, 9\n";

class NodeSetsAsFaces : public ProblemTest
{
protected:
  Problem &with_load(const std::string &set,
                     const std::string &type,
                     const std::string &value,
                     const std::string &refinements = "0",
                     const std::string &rest        = "")
  {
    write("graded.inp", graded);
    return setup(file_deck("graded.inp", "set Refinements = " + refinements) +
                 section("Supports / wall", "set Boundary ids = wall") +
                 load("set Boundary ids = " + set, type, value) + rest);
  }
};

TEST_F(NodeSetsAsFaces, ATotalForceIsUniformOverThem)
{
  for (const std::string refinements : {"0", "1"})
    {
      const Problem &problem = with_load("end", "total force", "1, 0, 0", refinements);
      EXPECT_NEAR(total_force(problem)[0], 1., 1e-14);
      // a uniform traction acts at the middle of the face, not at the mean of the nodes
      EXPECT_NEAR(moment_of(problem, 0)[2], 0.5, 1e-14);
      EXPECT_CONTAINS(problem.describe(), "faces of area 1");
      EXPECT_LACKS(problem.describe(), "of its node sets");
    }
}

// The vertices of a quadratic face are not all of its nodes: each of them gets the force, and no
// other node.
TEST_F(NodeSetsAsFaces, FacesOfQuadraticElementsNeedAllOfTheirNodes)
{
  std::string text = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 0.5, 0, 0\n"
                     "6, 0.5, 0.5, 0\n7, 0, 0.5, 0\n8, 0, 0, 0.5\n9, 0.5, 0, 0.5\n10, 0, 0.5, 0.5\n"
                     "*ELEMENT, TYPE=C3D10\n1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n"
                     "*NSET, NSET=corners\n1, 2, 3\n*NSET, NSET=face\n1, 2, 3, 5, 6, 7\n";
  write("tetrahedron.inp", text);
  const auto with_force = [&](const std::string &set) -> const Problem & {
    return setup(section("Mesh", "set Type = file") +
                 section("Mesh / File", "set File name = tetrahedron.inp") +
                 load("set Boundary ids = " + set, "force per node", "0, 0, 1"));
  };
  EXPECT_EQ(n_nodes_with_force(with_force("corners")), 3.);
  EXPECT_EQ(n_nodes_with_force(with_force("face")), 6.);
}

TEST_F(NodeSetsAsFaces, TractionsAndPressuresActOnThem)
{
  EXPECT_NEAR(total_force(with_load("end", "traction", "0, 0, 3"))[2], 3., 1e-14);
  EXPECT_NEAR(total_force(with_load("end", "pressure", "3, 0, 0"))[0], -3., 1e-14);
}

TEST_F(NodeSetsAsFaces, OtherNodesGetEqualParts)
{
  const Problem &on_edge = with_load("edge", "total force", "1, 0, 0");
  EXPECT_EQ(n_nodes_with_force(on_edge), 2.);
  EXPECT_LACKS(on_edge.describe(), "of its node sets");

  const Problem &on_more = with_load("more", "total force", "1, 0, 0");
  EXPECT_EQ(n_nodes_with_force(on_more), 7.);
  EXPECT_CONTAINS(on_more.describe(),
                  "NOTE: load 'tip': of its node sets 6 nodes are on faces whose nodes are all in "
                  "the set, and 1 are not: all nodes get equal parts");
}

TEST_F(NodeSetsAsFaces, NonDesignRegionsHaveTheirElements)
{
  const Problem &problem = with_load("end",
                                     "total force",
                                     "1, 0, 0",
                                     "1",
                                     section("Non-design regions / lug", "set Boundary ids = end"));
  EXPECT_CONTAINS(problem.describe(), "8 solid elements");
}
} // namespace
} // namespace strut
