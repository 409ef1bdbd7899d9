// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Sets of nodes on refinements of a file's mesh, and elements that a mesh of hexahedra leaves out.
#include "tests/plugin/bar_files.h"
#include "tests/plugin/problem_fixture.h"

using namespace strut;
using namespace strut::test;

namespace
{
std::string refined(const std::string &name, const unsigned int n)
{
  return file_deck(name, "set Refinements = " + std::to_string(n));
}

std::string forces_on(const std::string &region)
{
  return load("set Boundary ids = " + region, "force per node", "1, 0, 0");
}
} // namespace

// Groups at the end x = 0 of the bar: four points, a curve around three of its edges, and another
// along the fourth. A point and a curve share a name.
TEST_F(ProblemTest, PhysicalPointsAndCurvesPassOnWhatTheyHave)
{
  write("bar.msh",
        gmsh_bar({"0 1 \"feet\"", "1 2 \"three\"", "1 3 \"one\"", "0 4 \"both\"", "1 5 \"both\""},
                 {"15 2 1 1 1",
                  "15 2 1 1 6",
                  "15 2 1 1 16",
                  "15 2 1 1 11",
                  "1 2 2 1 1 6",
                  "1 2 2 1 6 16",
                  "1 2 2 1 16 11",
                  "1 2 3 1 11 1",
                  "15 2 4 1 5",
                  "1 2 5 1 1 6"}));
  for (const unsigned int n : {0u, 1u, 2u, 3u})
    {
      const double parts = 1u << n; // parts of an edge
      const auto n_of    = [&](const std::string &region) {
        const Problem &problem = setup(refined("bar.msh", n) + forces_on(region));
        EXPECT_LACKS(problem.describe(), "NOTE: load");
        return n_nodes_with_force(problem);
      };
      EXPECT_EQ(n_of("feet"), 4.);
      EXPECT_EQ(n_of("three"), 3. * parts + 1.);
      EXPECT_EQ(n_of("one"), parts + 1.);
      EXPECT_EQ(n_of("three, one"), 4. * parts);
      EXPECT_EQ(n_of("feet, one"), parts + 3.);
      EXPECT_EQ(n_of("both"), parts + 2.);
    }
}

// Sets of Abaqus have no edges. Nodes between their nodes join them, with a note if the sets may be
// points.
TEST_F(ProblemTest, SetsOfNodesThatMayBePointsAreNoted)
{
  write("bar.inp",
        abaqus_bar("*Nset, nset=feet\n1, 6, 11, 16\n*Nset, nset=two\n1, 6\n"
                   "*Nset, nset=edge\n1, 2, 3\n*Nset, nset=apart\n1, 5\n"));
  const auto log = [&](const std::string &set, const unsigned int n) {
    return setup(refined("bar.inp", n) + forces_on(set)).describe();
  };
  const std::string note = "NOTE: load 'tip', case '1': the mesh is refined, and the new nodes on ";
  EXPECT_CONTAINS(log("feet", 1),
                  note + "1 faces of the file's elements between the 4 nodes of 'feet' join it");
  EXPECT_CONTAINS(log("two", 1),
                  note + "1 edges of the file's elements between the 2 nodes of 'two' join it");
  for (const std::string set : {"feet", "two", "edge", "apart"})
    EXPECT_LACKS(log(set, 0), "NOTE: load") << set;
  for (const std::string set : {"edge", "apart"})
    EXPECT_LACKS(log(set, 1), "NOTE: load") << set;
}

// A surface with two elements across is one.
TEST_F(ProblemTest, SetsOfNodesThatAreSurfacesAreNotNoted)
{
  std::string nodes, elements;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        nodes += std::to_string(1 + i + 3 * j + 9 * k) + ", " + std::to_string(i) + ", " +
                 std::to_string(j) + ", " + std::to_string(k) + '\n';
  for (int e = 0; e < 4; ++e)
    {
      const int first = 1 + e % 2 + 3 * (e / 2);
      elements += std::to_string(e + 1);
      for (const int offset : {0, 1, 4, 3, 9, 10, 13, 12})
        elements += ", " + std::to_string(first + offset);
      elements += '\n';
    }
  write("plate.inp",
        "*Node\n" + nodes + "*Element, type=C3D8\n" + elements +
          "*Nset, nset=bottom, generate\n1, 9, 1\n");
  const Problem &problem = setup(refined("plate.inp", 1) + forces_on("bottom"));
  EXPECT_EQ(n_nodes_with_force(problem), 25.);
  EXPECT_LACKS(problem.describe(), "NOTE: load");
}

TEST_F(ProblemTest, ElementsThatCarryAndAreLeftOutAreNoted)
{
  const std::string rods = "*Element, type=T3D2, elset=rods\n90, 1, 10\n91, 6, 5\n";
  const std::string skin = "*Element, type=S4R, elset=skin\n92, 1, 6, 16, 11\n";
  const std::string note =
    "NOTE: the file has elements beside its hexahedra that may carry load, and strut leaves "
    "them out: ";
  const auto log = [&](const std::string &name, const std::string &text) {
    write(name, text);
    return setup(refined(name, 0)).describe();
  };
  // elements with a section are all meant to carry loads
  const std::string sections = "*Solid section, elset=rods, material=steel\n1.\n";
  EXPECT_CONTAINS(log("bar.inp", abaqus_bar(rods + skin + sections)),
                  note + "1 S4R (first: line 31), 2 T3D2 (first: line 28). ");
  // masses and springs have no other meaning
  EXPECT_CONTAINS(log("bar.inp",
                      abaqus_bar("*Element, type=MASS\n90, 1\n*Element, type=SPRINGA\n91, 1, 6\n")),
                  note + "1 MASS (first: line 28), 1 SPRINGA (first: line 30). ");
  // without a section, lines along edges and faces of cubes may only be names
  EXPECT_CONTAINS(log("bar.inp", abaqus_bar(rods + skin)),
                  note + "2 lines that are no edges of hexahedra (first: line 28). ");
  EXPECT_LACKS(log("bar.inp", abaqus_bar(skin + "*Element, type=T3D2\n90, 1, 6\n")),
               "NOTE: the file");
  EXPECT_CONTAINS(log("bar.inp",
                      abaqus_bar("*Element, type=S4\n92, 1, 7, 17, 11\n*Elset, elset=a\n1\n")),
                  note + "1 faces that are no faces of hexahedra (first: line 28). ");
  // names of its elements are names still
  setup(refined("bar.inp", 0) + load("set Material ids = a", "body force", "0, 0, 1"));
  EXPECT_CONTAINS(log("bar.msh", gmsh_bar({}, {"1 2 0 1 1 5", "1 2 0 1 1 6"})),
                  note + "1 lines that are no edges of hexahedra (first: line 32). ");
}
