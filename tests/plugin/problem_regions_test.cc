// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The log's lines on regions: selected parts, the whole mesh, void only; on any number of ranks.
#include "tests/plugin/problem_fixture.h"

using namespace strut;

TEST_F(ProblemTest, LogSaysShareAndBoxOfEachRegion)
{
  // 5 x 4 x 3 nodes, 52 faces of area 1
  const std::string log =
    setup(beam + wall + load("set Expression = z > zmax - tol", "pressure", "1, 0, 0") +
          section("Non-design regions / pad", "set Expression = x > 3"))
      .describe();
  EXPECT_CONTAINS(
    log, "on 12 nodes (boundary ids 0)\n    20 % of the nodes, in [0, 0] x [0, 3] x [0, 2]");
  EXPECT_CONTAINS(log, "    23.1 % of the boundary, in [0, 4] x [0, 3] x [2, 2]");
  EXPECT_CONTAINS(log, "    25 % of the volume, in [3, 4] x [0, 3] x [0, 2]");
  EXPECT_LACKS(log, "NOTE");
}

TEST_F(ProblemTest, ARegionThatIsAllOfTheMeshIsNoted)
{
  const auto log_of = [&](const std::string &region, const std::string &type) {
    return setup(beam + wall + load(region, type, type == "pressure" ? "1, 0, 0" : "0, 0, 1"))
      .describe();
  };
  const std::string boundary = "the region is the whole boundary of the mesh";
  const std::string mesh     = "the region is the whole mesh";
  EXPECT_CONTAINS(log_of("set Expression = x > -1", "total force"), boundary);
  EXPECT_CONTAINS(log_of("set Expression = x > -1", "pressure"), boundary);
  EXPECT_CONTAINS(log_of("set Boundary ids = 0, 1, 2, 3, 4, 5", "pressure"), boundary);
  EXPECT_CONTAINS(log_of("set Boundary ids = 0, 1, 2, 3, 4, 5", "force per node"), boundary);
  EXPECT_CONTAINS(log_of("set Expression = x > -1", "force per node"), mesh);
  EXPECT_CONTAINS(log_of("set Expression = x > -1", "body force"), mesh);
  for (const char *type : {"total force", "pressure", "force per node", "body force"})
    {
      EXPECT_LACKS(log_of("set Expression = everywhere", type), "NOTE") << type;
      EXPECT_LACKS(log_of("set Expression = z > 1", type), "NOTE") << type;
    }
  // Naming the only material of a mesh selects its whole volume on purpose.
  EXPECT_LACKS(log_of("set Material ids = 0", "body force"), "NOTE");
}

TEST_F(ProblemTest, EverywhereIsTheWholeMesh)
{
  const std::array<double, 3> force =
    total_force(setup(beam + load("set Expression = everywhere", "body force", "0, 0, -2")));
  EXPECT_NEAR(force[2], -2. * 24., 1e-12 * 48.);
}

TEST_F(ProblemTest, LoadsAndSupportsOnVoidAreNoted)
{
  const std::string hole =
    section("Non-design regions / hole", "set Expression = x > 2\nset Density = void");
  const std::string tip = load("set Boundary ids = 1", "total force", "0, 0, 1");
  EXPECT_CONTAINS(setup(beam + wall + tip + hole).describe(),
                  "NOTE: load 'tip': all its 12 nodes are in void regions only");
  // The nodes with x = 2 touch elements that are not void.
  const std::string side = load("set Boundary ids = 5", "total force", "0, 0, 1");
  EXPECT_CONTAINS(setup(beam + wall + side + hole).describe(),
                  "NOTE: load 'tip': 8 of its 20 nodes are in void regions only");
  const std::string foot = section("Supports / foot", "set Boundary ids = 1");
  EXPECT_CONTAINS(setup(beam + foot + hole).describe(),
                  "NOTE: support 'foot': all its 12 nodes are in void regions only");
  EXPECT_LACKS(setup(beam + wall + hole).describe(), "void regions only");
  const std::string block = section("Non-design regions / block", "set Expression = x > 2");
  EXPECT_LACKS(setup(beam + wall + tip + block).describe(), "void regions only");
}

TEST_F(ProblemTest, BoundaryIdsOfANonDesignRegionAreTheElementsThere)
{
  // a layer below z = 2, the left ends of two faces' layers, and the part of one where x > 2
  const auto n_solid = [&](const std::string &region) {
    return n_flagged(setup(beam + section("Non-design regions / skin", region)), DesignFlag::solid);
  };
  EXPECT_EQ(n_solid("set Boundary ids = 5"), 12u);
  EXPECT_EQ(n_solid("set Boundary ids = 0, 5"), 15u);
  EXPECT_EQ(n_solid("set Boundary ids = 5\nset Expression = x > 2"), 6u);
  EXPECT_EQ(complaint(beam + section("Non-design regions / skin",
                                     "set Boundary ids = 5\nset Expression = z < 1"))
              .substr(0, 132),
            "test.prm:10: Non-design regions / skin / Expression = z < 1\n"
            "  The region (boundary ids 5, where z < 1) holds no element of the mesh.");
}

TEST_F(ProblemTest, ANonDesignRegionReachesADistanceFromItsBoundary)
{
  const auto region = [](const std::string &entries) {
    return beam + section("Non-design regions / ring", entries);
  };
  const auto n_solid = [&](const std::string &entries) {
    return n_flagged(setup(region(entries)), DesignFlag::solid);
  };
  // centres at x = 0.5, 1.5, 2.5, 3.5, six elements each
  EXPECT_EQ(n_solid("set Boundary ids = 0\nset Distance = 0.1"), 6u);
  EXPECT_EQ(n_solid("set Boundary ids = 0\nset Distance = 1.6"), 12u);
  EXPECT_EQ(n_solid("set Boundary ids = 0\nset Distance = 1.6\nset Expression = z > 1"), 6u);
  EXPECT_EQ(n_solid("set Boundary ids = 0, 1\nset Distance = 1.4"), 12u);
  EXPECT_CONTAINS(setup(region("set Boundary ids = 0\nset Distance = 1.6")).describe(),
                  "12 solid elements (within 1.6 of boundary ids 0)");
  EXPECT_CONTAINS(complaint(region("set Expression = x > 2\nset Distance = 1")),
                  "It is measured from faces, and the region has no 'Boundary ids'.");
  EXPECT_CONTAINS(complaint(region("set Boundary ids = 0\nset Distance = -1")),
                  "The distance must not be negative.");
}
