// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The changes of meshes and numberings that StiffnessOperator notices, in each of its members.
#include <deal.II/dofs/dof_renumbering.h>

#include <deal.II/grid/grid_tools.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
/// Expects a message from each member of an operator after its mesh or its DoFs have changed.
void expect_notice(Cube &cube, const std::function<void()> &change)
{
  cube.hold();
  cube.constraints.close();
  StiffnessOperator<double> K(cube.dof_handler, cube.constraints, cube.material, cube.options);
  solve_plainly(K);
  const auto preconditioner = K.preconditioner();
  change();
  const std::string expected = "The mesh or its degrees of freedom have changed since the "
                               "StiffnessOperator was made.\n  Make it anew, with reinit().";
  dealii::Vector<float> factors(cube.triangulation.n_active_cells());
  factors = 1.f;
  EXPECT_EQ(message_of<Error>([&]() { K.set_factors(factors); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.set_factors([](const auto &) { return 1.; }); }), expected);
  EXPECT_EQ(message_of<Error>(
              [&]() { K.set_lame([](const auto &) { return std::make_pair(1., 1.); }); }),
            expected);
  EXPECT_EQ(message_of<Error>([&]() { K.set_shift(1.); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.set_prescribed_values(cube.constraints); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { solve_plainly(K); }), expected);
  dealii::Vector<double> x(K.m()), y(K.m());
  EXPECT_EQ(message_of<Error>([&]() { preconditioner.vmult(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.mass_vmult(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.mass_vmult_unconstrained(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.vmult(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.lift(x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.compute_diagonal(); }), expected);
}

TEST(StiffnessOperatorNotices, Refinement)
{
  Cube cube;
  expect_notice(cube, [&]() {
    cube.triangulation.refine_global(1);
    cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  });
}

TEST(StiffnessOperatorNotices, RefinementThatWasTakenBack)
{
  Cube cube;
  expect_notice(cube, [&]() {
    cube.triangulation.refine_global(1);
    cube.triangulation.coarsen_global(1);
    ASSERT_EQ(cube.triangulation.n_active_cells(), 8u);
    cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
    ASSERT_EQ(cube.dof_handler.n_dofs(), 81u);
  });
}

TEST(StiffnessOperatorNotices, Renumbering)
{
  Cube cube;
  expect_notice(cube, [&]() { dealii::DoFRenumbering::component_wise(cube.dof_handler); });
}

/// The DoFs of all cells, one cell after the other.
std::vector<dealii::types::global_dof_index> dofs_of(const Cube &cube)
{
  std::vector<dealii::types::global_dof_index> all, of_cell(24);
  for (const auto &cell : cube.dof_handler.active_cell_iterators())
    {
      cell->get_dof_indices(of_cell);
      all.insert(all.end(), of_cell.begin(), of_cell.end());
    }
  return all;
}

// Products check 16 of these 512 cells, which suffices for every numbering of a whole mesh.
TEST(StiffnessOperatorNotices, EachRenumberingOfALargerMesh)
{
  using Renumbering = std::function<void(dealii::DoFHandler<3> &)>;
  for (const auto &[name, renumber] : std::vector<std::pair<std::string, Renumbering>>{
         {"component-wise", [](auto &d) { dealii::DoFRenumbering::component_wise(d); }},
         {"Cuthill-McKee", [](auto &d) { dealii::DoFRenumbering::Cuthill_McKee(d); }},
         {"reversed Cuthill-McKee",
          [](auto &d) { dealii::DoFRenumbering::Cuthill_McKee(d, true); }},
         {"King", [](auto &d) { dealii::DoFRenumbering::boost::king_ordering(d); }},
         {"downstream",
          [](auto &d) {
            dealii::DoFRenumbering::downstream(d, dealii::Point<3>(0., 1., 2.), true);
          }},
         {"random", [](auto &d) { dealii::DoFRenumbering::random(d); }}})
    {
      SCOPED_TRACE(name);
      Cube cube;
      cube.triangulation.refine_global(2);
      cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
      ASSERT_EQ(cube.triangulation.n_active_cells(), 512u);
      const auto before = dofs_of(cube);
      expect_notice(cube, [&, &renumber = renumber]() { renumber(cube.dof_handler); });
      EXPECT_NE(dofs_of(cube), before);
    }
}

// After a numbering was undone, the operator has the right one: products continue, and are correct.
TEST(StiffnessOperatorNotices, NoRenumberingThatWasTakenBack)
{
  Cube cube;
  cube.hold();
  EXPECT_EQ(cube.complaint([&](auto &K) {
    dealii::Vector<double> x(K.m()), y(K.m()), again(K.m());
    for (auto &entry : x)
      entry = 1. + static_cast<double>(&entry - x.begin()) / 10.;
    K.vmult(y, x);
    std::vector<dealii::types::global_dof_index> reversed(cube.dof_handler.n_dofs());
    for (std::size_t i = 0; i < reversed.size(); ++i)
      reversed[i] = reversed.size() - 1 - i;
    cube.dof_handler.renumber_dofs(reversed);
    EXPECT_FALSE(message_of<Error>([&]() { K.vmult(again, x); }).empty());
    cube.dof_handler.renumber_dofs(reversed);
    K.vmult(again, x);
    again -= y;
    EXPECT_LE(again.l2_norm(), 1e-14 * y.l2_norm());
  }),
            "");
}

TEST(StiffnessOperatorNotices, MovedVertices)
{
  Cube by_function, by_hand;
  expect_notice(by_function, [&]() { dealii::GridTools::scale(1.5, by_function.triangulation); });
  expect_notice(by_hand, [&]() {
    by_hand.triangulation.begin_active()->vertex(0) -= dealii::Point<3>(0.1, 0.1, 0.1);
  });
}

TEST(StiffnessOperatorNotices, DegreesOfFreedomThatAreGone)
{
  Cube cube;
  expect_notice(cube, [&]() { cube.dof_handler.clear(); });
}

/// The guard does not access the mesh after its end.
TEST(StiffnessOperatorNotices, NothingAfterItsEnd)
{
  Cube cube;
  EXPECT_EQ(cube.complaint(), "");
  cube.triangulation.refine_global(1);
}
} // namespace
} // namespace strut::test
