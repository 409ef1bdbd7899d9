// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The meshes, elements and constraints that StiffnessOperator refuses, with the whole messages.
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_wedge_p.h>

#include <deal.II/hp/fe_collection.h>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
TEST(StiffnessOperatorRefuses, ConstraintsThatAreNotClosed)
{
  HeldCube cube;
  cube.close = false;
  EXPECT_EQ(cube.complaint(),
            "The constraints of the StiffnessOperator are not closed.\n  Call constraints.close() "
            "before.");
  dealii::IndexSet some(cube.dof_handler.n_dofs());
  some.add_range(0, 10);
  cube.close = true;
  cube.constraints.reinit(some);
  EXPECT_EQ(
    cube.complaint(),
    "The constraints of the StiffnessOperator know only some of the degrees of freedom that "
    "their rank owns.\n  Call constraints.reinit() with the locally relevant ones before "
    "constraining any.");
}

TEST(StiffnessOperatorRefuses, OtherElements)
{
  const auto message = [](const std::string &name) {
    return "StiffnessOperator works with displacements by some finite elements, and the DoFHandler "
           "has " +
           name +
           ".\n  Distribute the degrees of freedom of another element: FESystem<3>(FE_Q<3>(1), 3) or "
           "FE_Q<3>(2) on hexahedra, FE_SimplexP<3>(1) or FE_SimplexP<3>(2) on tetrahedra, three "
           "components each.";
  };
  EXPECT_EQ(Cube(dealii::FE_Q<3>(1)).complaint(), message("FE_Q<3>(1)"));
  EXPECT_EQ(Cube(dealii::FESystem<3>(dealii::FE_Q<3>(3), 3)).complaint(),
            message("FESystem<3>[FE_Q<3>(3)^3]"));
  EXPECT_EQ(Cube(dealii::FESystem<3>(dealii::FE_DGQ<3>(1), 3)).complaint(),
            message("FESystem<3>[FE_DGQ<3>(1)^3]"));
  EXPECT_EQ(Cube(dealii::FESystem<3>(dealii::FE_Q<3>(1), 4)).complaint(),
            message("FESystem<3>[FE_Q<3>(1)^4]"));
  const dealii::FE_Q<3> q(1);
  EXPECT_EQ(Cube(dealii::FESystem<3>(q, 1, q, 1, q, 1)).complaint(), "");

  Cube without;
  without.dof_handler.reinit(without.triangulation);
  EXPECT_EQ(without.complaint(),
            "The DoFHandler of the StiffnessOperator has no degrees of freedom.\n  Call "
            "dof_handler.distribute_dofs(fe) before.");
}

TEST(StiffnessOperatorRefuses, CollectionsOfElements)
{
  Cube cube;
  const dealii::FESystem<3> fe(dealii::FE_Q<3>(1), 3);
  cube.dof_handler.reinit(cube.triangulation);
  cube.dof_handler.distribute_dofs(dealii::hp::FECollection<3>(fe, fe));
  EXPECT_EQ(
    cube.complaint(),
    "StiffnessOperator works with one finite element, and the DoFHandler has a collection of 2.\n  "
    "Distribute the degrees of freedom of one element: FESystem<3>(FE_Q<3>(1), 3) or FE_Q<3>(2) on "
    "hexahedra, FE_SimplexP<3>(1) or FE_SimplexP<3>(2) on tetrahedra.");
}

TEST(StiffnessOperatorRefuses, Wedges)
{
  Cube cube;
  cube.dof_handler.clear();
  cube.triangulation.clear();
  dealii::GridGenerator::reference_cell(cube.triangulation, dealii::ReferenceCells::Wedge);
  cube.dof_handler.reinit(cube.triangulation);
  cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_WedgeP<3>(1), 3));
  EXPECT_EQ(cube.complaint(),
            "StiffnessOperator works on hexahedra alone or on tetrahedra alone, and the mesh has "
            "other cells.\n  Make a mesh of one kind of cells.");
}

TEST(StiffnessOperatorRefuses, ATriangulationWithoutCells)
{
  dealii::Triangulation<3> empty;
  dealii::DoFHandler<3> dof_handler(empty);
  StiffnessOperator<double> K;
  EXPECT_EQ(
    message_of<Error>([&]() { K.reinit(dof_handler, dealii::AffineConstraints<double>()); }),
    "The triangulation of the StiffnessOperator has no cells.\n  Make or read the mesh, and call "
    "dof_handler.distribute_dofs(fe), before.");
}

// deal.II itself ignores them.
TEST(StiffnessOperatorRefuses, ConstraintsOfAnotherMesh)
{
  for (const bool as_master : {false, true})
    {
      HeldCube cube; // 81 degrees of freedom
      const dealii::types::global_dof_index beyond = 81 + 19;
      if (as_master)
        {
          cube.constraints.add_line(80);
          cube.constraints.add_entry(80, beyond, 1.);
        }
      else
        cube.constraints.add_line(beyond);
      EXPECT_EQ(
        cube.complaint(),
        "The constraints of the StiffnessOperator are about degree of freedom 100, and the DoFHandler "
        "has 81: they are those of another mesh.\n  Call constraints.clear(), or reinit(), before "
        "constraining the degrees of freedom of this one.");
    }
}

TEST(StiffnessOperatorRefuses, HangingNodes)
{
  Cube cube;
  cube.triangulation.begin_active()->set_refine_flag();
  cube.triangulation.execute_coarsening_and_refinement();
  cube.refine(0);
  EXPECT_EQ(
    cube.complaint(),
    "The mesh has hanging nodes (it is refined locally), and the constraints leave 36 of their "
    "degrees of freedom free, such as 102 (displacement along x at (0.5, 0.25, 0)).\n  Call "
    "DoFTools::make_hanging_node_constraints(dof_handler, constraints) before "
    "constraints.close().");
}

TEST(StiffnessOperatorRefuses, ToSolveWithoutSupports)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) { solve_plainly(K); }),
    "The constraints of the StiffnessOperator leave a rigid motion free: translation along "
    "x; translation along y; translation along z; rotation about an axis along x; "
    "rotation about an axis along y; rotation about an axis along z.\n  solve() needs a structure that is held: constrain more degrees of "
    "freedom, or set a positive shift.");
}

TEST(StiffnessOperatorMeshes, BackgroundCellsBehindAFlatMesh)
{
  HeldCube cube;
  const auto solve = [](auto &K) {
    const SolveReport report = solve_plainly(K);
    EXPECT_EQ(report.preconditioner, "multigrid");
    EXPECT_LE(report.iterations, 15u);
    EXPECT_CONTAINS(
      K.describe(),
      "solve(): multigrid, 2 levels: 8, 1 elements, from level 2 on background cells");
  };
  for (const char *const preconditioner : {"auto", "multigrid"})
    for (const char *const precision : {"auto", "mixed"})
      {
        cube.options.preconditioner = preconditioner;
        cube.options.precision      = precision;
        EXPECT_EQ(cube.complaint(solve), "");
      }
}

TEST(StiffnessOperatorMeshes, BackgroundCellsWhereCellsWereCutInTwo)
{
  Cube cube;
  for (const auto &cell : cube.triangulation.active_cell_iterators())
    cell->set_refine_flag(dealii::RefinementCase<3>::cut_x);
  cube.triangulation.execute_coarsening_and_refinement();
  cube.refine(0);
  cube.hold();
  cube.options.preconditioner = "multigrid";
  EXPECT_EQ(cube.complaint([](auto &K) {
    EXPECT_LE(solve_plainly(K).iterations, 20u);
    EXPECT_CONTAINS(K.describe(), "from level 2 on background cells");
  }),
            "");
}

TEST(StiffnessOperatorRefuses, OtherConstraintsThanBefore)
{
  HeldCube cube;
  EXPECT_EQ(
    cube.complaint([&](auto &K) {
      dealii::AffineConstraints<double> others;
      others.add_line(cube.dof_at({1., 1., 1.}, 0));
      others.close();
      K.set_prescribed_values(others);
    }),
    "The constraints hold other degrees of freedom than those that the StiffnessOperator was "
    "made with; only values may change.\n  Make another StiffnessOperator.");
  for (const int change : {-1, 0, 1}) // one less, another, one more
    {
      const std::string message = cube.complaint([&](auto &K) {
        dealii::AffineConstraints<double> others;
        dealii::IndexSet lines(cube.dof_handler.n_dofs());
        for (const auto &line : cube.constraints.get_lines())
          lines.add_index(line.index);
        if (change <= 0)
          lines.subtract_set(dealii::complete_index_set(lines.nth_index_in_set(0) + 1)
                               .get_view(0, lines.nth_index_in_set(0) + 1));
        if (change >= 0)
          lines.add_index(cube.dof_at({1., 1., 1.}, 0));
        others.add_lines(lines);
        others.close();
        K.set_prescribed_values(others);
      });
      EXPECT_CONTAINS(message, "The constraints hold other degrees of freedom") << change;
    }
}
} // namespace
} // namespace strut::test
