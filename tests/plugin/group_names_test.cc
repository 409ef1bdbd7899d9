// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Names and numbers of groups in mesh files: each word of a deck means one of them, or is refused.
#include "tests/plugin/bar_files.h"
#include "tests/plugin/problem_fixture.h"

using namespace strut;
using namespace strut::test;

namespace
{
std::string bar(const std::string &name)
{
  return file_deck(name) + section("Material", "set Young's modulus = 1\nset Poisson's ratio = 0");
}

std::string held(const std::string &region)
{
  return section("Supports / wall", "set Boundary ids = " + region);
}

std::string pulled_at(const std::string &region)
{
  return load("set Boundary ids = " + region, "total force", "1, 0, 0");
}

std::string stiff(const std::string &region)
{
  return section("Materials / stiff",
                 "set Material ids = " + region + "\nset Young's modulus = 1000");
}

const std::string both_quoted =
  "'2' is the name of one group of the mesh and the number of another:";
} // namespace

// A bar of four cubes, held and pulled at its ends by a force of 1. Its compliance is its length,
// 4. If two cubes are a thousand times as stiff, it is 2.002.
TEST_F(ProblemTest, NamesThatAreNumbersOfOtherSurfacesAreRefused)
{
  write("bar.msh", gmsh_bar({"2 2 \"1\"", "2 3 \"2\"", "3 9 \"10\""}, {left_end(2), right_end(3)}));
  const std::string refused = complaint(bar("bar.msh") + held("1") + pulled_at("2"));
  for (const std::string part : {both_quoted.c_str(),
                                 "surface '2', number 3: write '3'",
                                 "surface '1', number 2: write '1'"})
    EXPECT_CONTAINS(refused, part);
  // '1' is a name alone, '3' a number alone
  EXPECT_NEAR(compliance(setup(bar("bar.msh") + held("1") + pulled_at("3"))), 4., 1e-9);
  EXPECT_NEAR(compliance(setup(bar("bar.msh") + held("1") + pulled_at("3") + stiff("10"))),
              0.004,
              1e-12);
}

TEST_F(ProblemTest, NamesThatAreNumbersOfOtherVolumesAreRefused)
{
  write("bar.msh",
        gmsh_bar({"2 5 \"left\"", "2 6 \"right\"", "3 1 \"2\"", "3 2 \"1\""},
                 {left_end(5), right_end(6)},
                 {1, 1, 2, 2}));
  const std::string rest    = bar("bar.msh") + held("left") + pulled_at("right");
  const std::string refused = complaint(rest + stiff("1"));
  EXPECT_CONTAINS(refused, "volume '1', number 2, which has no word of its own");
  EXPECT_CONTAINS(refused, "volume '2', number 1, which has no word of its own");
  EXPECT_CONTAINS(refused, "names in the mesh file that are no numbers");
}

// In Abaqus, numbers are names of groups, too.
TEST_F(ProblemTest, NumbersInSetsOfAbaqusAreNodesAndElements)
{
  write("bar.inp",
        abaqus_bar("*Elset, elset=2\n3, 4\n*Elset, elset=1\n1, 2\n*Nset, nset=1\n1, 6, 11, 16\n"
                   "*Nset, nset=5\n5, 10, 15, 20\n*Nset, nset=half, elset=1\n"));
  const Problem &problem = setup(bar("bar.inp") + held("1") + pulled_at("5") + stiff("1"));
  EXPECT_EQ(n_prescribed(problem), 12.);
  EXPECT_EQ(n_nodes_with_force(problem), 4.);
  EXPECT_NEAR(compliance(problem), 2.002, 1e-9);
  EXPECT_NEAR(compliance(setup(bar("bar.inp") + held("1") + pulled_at("5") + stiff("2"))),
              2.002,
              1e-9);
  EXPECT_EQ(n_prescribed(setup(bar("bar.inp") + held("half"))),
            36.); // three of five planes of four nodes
}

TEST_F(ProblemTest, ASetOfNodesWhoseNameIsTheNumberOfASurfaceIsRefused)
{
  write("bar.inp", abaqus_bar("*Surface, name=left\n1, S6\n*Nset, nset=1\n5, 10, 15, 20\n"));
  const std::string refused = complaint(bar("bar.inp") + held("1"));
  EXPECT_CONTAINS(refused, "set of nodes '1', which has no word of its own");
  EXPECT_CONTAINS(refused, "surface 'left', number 1: write 'left'");
  write("bar.msh", gmsh_bar({"1 7 \"2\"", "2 2 \"left\""}, {"1 2 7 1 5 10", left_end(2)}));
  const std::string curve = complaint(bar("bar.msh") + held("2"));
  EXPECT_CONTAINS(curve, "set of nodes '2', which has no word of its own");
}

TEST_F(ProblemTest, AnElementInASurfaceThatIsASetToo)
{
  write("bar.inp",
        abaqus_bar(
          "*Elset, elset=4\n1\n*Surface, name=end\n4, S4\n*Nset, nset=left\n1, 6, 11, 16\n"));
  const Problem &problem = setup(bar("bar.inp") + held("left") + pulled_at("end"));
  EXPECT_NEAR(compliance(problem), 4., 1e-9);
  EXPECT_CONTAINS(
    problem.describe(),
    "NOTE: numbers in surfaces that are those of an element and names of a set as well are the "
    "elements: 1, first in line 30");
}

// Format 4.1 of Gmsh knows a group 0; faces of no group have another number then.
TEST_F(ProblemTest, Number0IsAGroupWhereTheFileHasOne)
{
  std::string numbers;
  for (int n = 1; n <= 20; ++n)
    numbers += std::to_string(n) + '\n';
  const Lines cubes = bar_cubes(" ");
  std::string elements;
  for (std::size_t e = 0; e < 4; ++e)
    elements += std::to_string(e + 3) + ' ' + cubes[e] + '\n';
  write("bar.msh",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 2 1\n1 0 0 0 0 1 1 1 0 0\n"
        "2 4 0 0 4 1 1 1 1 0\n1 0 0 0 4 1 1 0 0\n$EndEntities\n$Nodes\n1 20 1 20\n3 1 0 20\n" +
          numbers + lines_of(bar_nodes(" ", false)) +
          "$EndNodes\n$Elements\n3 6 1 6\n2 1 3 1\n1 1 6 16 11\n2 2 3 1\n2 5 10 20 15\n3 1 5 4\n" +
          elements + "$EndElements\n");
  write("bar-22.msh", gmsh_bar({"2 0 \"zero\""}, {left_end(0), right_end(1)}));
  for (const std::string mesh : {"bar.msh", "bar-22.msh"})
    {
      const Problem &problem = setup(bar(mesh) + held("0") + pulled_at("1"));
      EXPECT_EQ(n_prescribed(problem), 12.);
      EXPECT_NEAR(compliance(problem), 4., 1e-9);
      EXPECT_EQ(problem.summary().boundary_ids.at(0).count, 1u);
      EXPECT_EQ(problem.summary().boundary_ids.at(2).count, 16u);
      EXPECT_CONTAINS(problem.describe(), "(no group)");
    }
}

// If the number 0 may mean "none", faces that the file does not list have it as well.
TEST_F(ProblemTest, Number0OfSomeFacesIsNoted)
{
  write("bar.msh", gmsh_bar({}, {left_end(0), right_end(3)}));
  const std::string log = setup(bar("bar.msh") + held("0") + pulled_at("3")).describe();
  EXPECT_CONTAINS(
    log,
    "NOTE: support 'wall': the file gives the number 0 to 1 faces; 'Boundary ids = 0' also "
    "takes the 16 boundary faces to which it gives none");
}

TEST_F(ProblemTest, NamesThatADeckCannotWriteHaveNumbers)
{
  write("bar.msh",
        gmsh_bar({"2 1 \"bolt #1\"", "2 2 \"right, lower\"", "0 3 \"tip #2\""},
                 {left_end(1), right_end(2), "15 2 3 1 5"}));
  const std::string number =
    ": in a deck, '#' begins a comment and ',' the next name. Write the number.";
  EXPECT_CONTAINS(complaint(bar("bar.msh") + held("bolt #1")),
                  "no boundary of the name 'bolt'. It has the surface 'bolt #1', number 1" +
                    number);
  EXPECT_CONTAINS(complaint(bar("bar.msh") + held("right, lower")),
                  "no boundary of the name 'right'. It has the surface 'right, lower', number 2" +
                    number);
  EXPECT_CONTAINS(complaint(bar("bar.msh") + held("tip #2")),
                  "Give it another name in the mesh file.");
  EXPECT_NEAR(compliance(setup(bar("bar.msh") + held("1") + pulled_at("2"))), 4., 1e-9);

  write("bar.msh", gmsh_bar({"2 1 \"bolt #1\"", "2 2 \"bolt\""}, {left_end(1), right_end(2)}));
  const std::string log = setup(bar("bar.msh") + held("bolt #1")).describe();
  EXPECT_CONTAINS(log,
                  "NOTE: support 'wall': 'bolt' is taken, not the surface 'bolt #1', number 1");
}

TEST_F(ProblemTest, NamesOfNothingSayWhy)
{
  write("bar.inp",
        abaqus_bar("*Node\n99, 9, 9, 9\n*Nset, nset=RP\n99\n*Nset, nset=left\n1, 6, 11, 16, 99\n"
                   "*Element, type=T3D2, elset=rods\n99, 1, 5\n"));
  EXPECT_CONTAINS(
    complaint(bar("bar.inp") + held("RP")),
    "no boundary of the name 'RP'. The file has the name, but none of its nodes belongs to a "
    "hexahedron (a reference point, say); couplings of such nodes with others are not read.");
  EXPECT_CONTAINS(
    complaint(bar("bar.inp") + held("left") + stiff("rods")),
    "no material of the name 'rods'. The file has the name, but it is a set of none but elements "
    "that strut leaves out");
  const std::string log = setup(bar("bar.inp") + held("left")).describe();
  EXPECT_CONTAINS(log, "NOTE: support 'wall': 1 of the 5 nodes of 'left' belong to no hexahedron");

  write("bar.msh", gmsh_bar({"2 1 \"left\"", "2 2 \"right\""}, {left_end(1)}));
  EXPECT_CONTAINS(
    complaint(bar("bar.msh") + held("right")),
    "The file has the name, but no element that strut reads is in this physical group.");
}

TEST_F(ProblemTest, DataOfVtkThatMayBeIdsAreNamed)
{
  std::string cells;
  for (const std::string &cube : bar_cubes(" "))
    {
      cells += "8";
      std::string nodes = cube + ' ';
      for (std::size_t at = 0; at < nodes.size(); at = nodes.find(' ', at) + 1)
        cells += ' ' + std::to_string(std::stoi(nodes.substr(at)) - 1);
      cells += '\n';
    }
  const std::string head =
    "# vtk DataFile Version 3.0\na bar\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 20 double\n" +
    lines_of(bar_nodes(" ", false)) + "CELLS 4 36\n" + cells +
    "CELL_TYPES 4\n12 12 12 12\nCELL_DATA 4\n";
  write("bar.vtk", head + "SCALARS material int 1\nLOOKUP_TABLE default\n7 7 0 0\n");
  const std::string said =
    "The ids are in the cell data MaterialID, which the file does not have; its cell data "
    "'material' are not read: give the right one that name";
  const std::string left = section("Supports / wall", "set Expression = x < tol");
  EXPECT_CONTAINS(complaint(bar("bar.vtk") + left + stiff("7")),
                  "The mesh has no elements with material id 7. " + said + '.');
  const std::string log = setup(bar("bar.vtk") + left + stiff("0")).describe();
  EXPECT_CONTAINS(log, "NOTE: material 'stiff' on 4 elements (material ids 0): " + said);
  EXPECT_LACKS(setup(bar("bar.vtk") + left).describe(), "MaterialID");
}
