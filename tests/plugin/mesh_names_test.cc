// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Names and numbers of mesh files in decks: what they select on the mesh of the file and on its
// refinements.
#include "tests/plugin/problem_fixture.h"

#include <cmath>

using namespace strut;

namespace
{
std::string file(const std::string &name, const std::string &entries = "")
{
  return file_deck(STRUT_SOURCE_DIR "/tests/plugin/meshes/" + name, entries);
}

std::string refinements(const unsigned int n)
{
  return "set Refinements = " + std::to_string(n);
}
} // namespace

// box-msh*.msh: [0, 2] x [0, 1] x [0, 1], 2 x 1 x 2 elements, "left" and "right" at the ends.
TEST_F(ProblemTest, NamesOfGmshAreItsNumbers)
{
  for (const std::string mesh : {"box-msh22.msh", "box-msh41.msh"})
    for (const unsigned int n : {0u, 1u, 2u})
      {
        const double nodes = (std::pow(2., n) + 1.) * (std::pow(2., n + 1) + 1.);
        expect_forces(
          file(mesh, refinements(n)),
          {{"set Boundary ids = right", "traction", "0, 0, -3", {{0., 0., -3.}}},
           {"set Boundary ids = 2", "traction", "0, 0, -3", {{0., 0., -3.}}},
           {"set Boundary ids = right, 2", "traction", "0, 0, -3", {{0., 0., -3.}}},
           {"set Boundary ids = right", "force per node", "1, 0, 0", {{nodes, 0., 0.}}},
           {"set Boundary ids = 2", "force per node", "1, 0, 0", {{nodes, 0., 0.}}},
           {"set Boundary ids = right, 2", "force per node", "1, 0, 0", {{nodes, 0., 0.}}},
           {"set Material ids = body", "body force", "0, 1, 0", {{0., 2., 0.}}}});
      }
}

// assembly.inp: the blocks [0, 2] x [0, 1] x [0, 1] and [2, 3] x [-2, 0] x [0, 1], see the file.
TEST_F(ProblemTest, NamesOfAbaqusSelectFacesNodesAndElements)
{
  for (const unsigned int n : {0u, 1u, 2u})
    {
      // nodes between nodes of a set are in it: a face of the block, and one node for itself
      const double side = std::pow(2., n) + 1.;
      expect_forces(
        file("assembly.inp", refinements(n)),
        {{"set Boundary ids = left.top", "pressure", "1, 0, 0", {{0., 0., -2.}}},
         {"set Boundary ids = left.top, right.top", "pressure", "1, 0, 0", {{0., 0., -4.}}},
         {"set Material ids = right.far", "body force", "0, 1, 0", {{0., 1., 0.}}},
         {"set Material ids = halves, left.far", "body force", "0, 1, 0", {{0., 3., 0.}}},
         {"set Boundary ids = wall", "force per node", "1, 0, 0", {{side * side, 0., 0.}}},
         {"set Boundary ids = ends", "force per node", "1, 0, 0", {{side * side + 1., 0., 0.}}},
         {"set Boundary ids = corners", "total force", "1, 0, 0", {{1., 0., 0.}}}});
    }
}

// The surface "inner" of assembly.inp is S4 of the second element of the left block, its end at x =
// 2. The face between the two elements of a block is S4 of the first.
TEST_F(ProblemTest, SurfacesInsideAreLoadedOnceAndFromTheirSide)
{
  for (const unsigned int n : {0u, 1u})
    {
      const std::string mesh = file("interior-face.inp", refinements(n));
      expect_forces(mesh,
                    {{"set Boundary ids = middle", "traction", "1, 2, 3", {{1., 2., 3.}}},
                     {"set Boundary ids = middle", "total force", "1, 2, 3", {{1., 2., 3.}}},
                     {"set Boundary ids = middle", "pressure", "1, 0, 0", {{-1., 0., 0.}}},
                     {"set Boundary ids = back", "pressure", "1, 0, 0", {{1., 0., 0.}}}});
      const Problem &problem =
        setup(mesh + section("Supports / middle", "set Boundary ids = middle"));
      EXPECT_EQ(Communicator(MPI_COMM_WORLD).sum(problem.mesh().constrained_dofs.size()) > 0, true);
    }
}

TEST_F(ProblemTest, NodesAtTheSamePlaceAreMergedIfAsked)
{
  const auto n_nodes = [](const Problem &problem) { return problem.summary().n_nodes; };
  EXPECT_EQ(n_nodes(setup(file("two-instances.inp"))), 16u);
  EXPECT_EQ(n_nodes(setup(file("two-instances.inp", "set Merge nodes = true"))), 12u);
  EXPECT_EQ(n_nodes(setup(file("two-volumes.msh"))), 54u);
  EXPECT_EQ(n_nodes(setup(file("two-volumes.msh", "set Merge nodes = true"))), 45u);
}
