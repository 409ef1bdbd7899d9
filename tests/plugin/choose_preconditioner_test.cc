// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/choose_preconditioner.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/base/exceptions.h>

#include "tests/plugin/text_checks.h"

using namespace strut;

namespace
{
/// Chooses with one coarser mesh of so many nodes; its elements are not used.
PreconditionerChoice choose(const std::string &wanted,
                            const std::size_t n_coarse_nodes,
                            const Precision precision = Precision::fp64)
{
  MeshHierarchy coarser(1);
  coarser[0].mesh.n_nodes = coarser[0].mesh.n_owned_nodes = n_coarse_nodes;
  return choose_for_deck(wanted, precision, Communicator(), {ElementMesh(), {}, coarser});
}

constexpr std::size_t most_nodes = most_coarse_dofs / 3;
} // namespace

// The coarsest mesh may have as many degrees of freedom as the direct solver supports, and not one
// node more.
TEST(ChoosePreconditioner, LimitOfTheCoarsestMesh)
{
  ASSERT_EQ(most_coarse_dofs, 30000u);
  EXPECT_EQ(choose("auto", most_nodes).name, "multigrid");
  EXPECT_EQ(choose("multigrid", most_nodes).name, "multigrid");
  EXPECT_EQ(choose("multigrid", most_nodes, Precision::mixed).name, "multigrid");

  const PreconditionerChoice above = choose("auto", most_nodes + 1);
  EXPECT_EQ(above.name, "jacobi");
  EXPECT_CONTAINS(above.text, "30003");
  EXPECT_CONTAINS(above.text, "30000");
  EXPECT_THROW(choose("multigrid", most_nodes + 1), EntryError);
  EXPECT_THROW(choose("auto", most_nodes + 1, Precision::mixed), EntryError);
}

TEST(ChoosePreconditioner, JacobiWhereItIsAskedFor)
{
  EXPECT_EQ(choose("jacobi", most_nodes).name, "jacobi");
  EXPECT_THROW(choose("jacobi", most_nodes, Precision::mixed), EntryError);
}
