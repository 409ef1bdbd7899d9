// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator as a member of a user's class: empty, filled, moved, cleared; used after the
// end of its mesh, and by two threads. Each of its members notices changes of meshes and
// numberings.
#include <deal.II/base/mg_level_object.h>

#include <deal.II/dofs/dof_renumbering.h>

#include <deal.II/grid/grid_tools.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "source/base/text.h"
#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using Operator = StiffnessOperator<double>;
using Vector   = dealii::Vector<double>;

Vector product(const Operator &K)
{
  Vector y(K.m());
  K.vmult(y, some_vector(K.m()));
  return y;
}

TEST(StiffnessOperatorLife, EmptyOnesSaySo)
{
  Operator K;
  Vector x(81), y(81);
  const std::string expected = "The StiffnessOperator is empty.\n  Call reinit() before.";
  EXPECT_EQ(message_of<Error>([&]() { K.vmult(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.solve(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.compute_diagonal(); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.initialize_dof_vector(x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.set_factors([](const auto &) { return 1.; }); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.preconditioner(); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.m(); }), expected);
  EXPECT_EQ(K.describe(), "StiffnessOperator: empty\n");
  EXPECT_EQ(K.memory_consumption(), sizeof(Operator));
  K.clear();
}

TEST(StiffnessOperatorLife, ReinitIsConstruction)
{
  Cube cube, finer;
  finer.refine(1);
  Operator K;
  for (Cube *const one : {&cube, &finer, &cube})
    {
      if (!one->constraints.is_closed())
        one->hold();
      const Operator expected = one->make_operator();
      K.reinit(one->dof_handler, one->constraints, {one->material, one->options});
      EXPECT_EQ(K.m(), one->dof_handler.n_dofs());
      EXPECT_EQ(product(K), product(expected));
    }
}

TEST(StiffnessOperatorLife, MovesAndLevels)
{
  HeldCube cube;
  Operator first        = cube.make_operator();
  const Vector expected = product(first);
  Operator second(std::move(first)), third;
  EXPECT_EQ(product(second), expected);
  EXPECT_EQ(first.describe(), "StiffnessOperator: empty\n");
  third = std::move(second);
  EXPECT_EQ(product(third), expected);

  dealii::MGLevelObject<Operator> levels(0, 1);
  for (unsigned int level = 0; level < 2; ++level)
    levels[level].reinit(cube.dof_handler, cube.constraints, {cube.material, cube.options});
  EXPECT_EQ(product(levels[1]), expected);
}

TEST(StiffnessOperatorLife, AFailedReinitLeavesAnEmptyOne)
{
  HeldCube cube;
  Operator K = cube.make_operator();
  EXPECT_CONTAINS(message_of<Error>([&]() {
                    K.reinit(cube.dof_handler, cube.constraints, {{-1., 0.3}, cube.options});
                  }),
                  "E = -1");
  EXPECT_EQ(K.describe(), "StiffnessOperator: empty\n");
}

TEST(StiffnessOperatorLife, RefusesCurvedMappingsAndOtherDimensions)
{
  HeldCube cube;
  cube.constraints.close();
  Operator K;
  EXPECT_CONTAINS(message_of<Error>([&]() {
                    K.reinit(cube.dof_handler, cube.constraints, {{}, cube.options, 3});
                  }),
                  "assembles with one of degree 3");
  dealii::Triangulation<2> plane;
  dealii::GridGenerator::hyper_cube(plane);
  dealii::DoFHandler<2> dof_handler(plane);
  dof_handler.distribute_dofs(dealii::FESystem<2>(dealii::FE_Q<2>(1), 2));
  EXPECT_EQ(
    message_of<Error>([&]() { K.reinit(dof_handler, cube.constraints); }),
    "StiffnessOperator works in three dimensions, and the DoFHandler has 2.\n  Use deal.II's "
    "own operators there.");
}

TEST(StiffnessOperatorLife, NoticesTheEndOfTheDoFHandler)
{
#ifdef DEBUG
  GTEST_SKIP() << "in debug mode deal.II itself does not let a DoFHandler go";
#endif
  HeldCube cube;
  cube.constraints.close();
  Operator K;
  {
    dealii::DoFHandler<3> dof_handler(cube.triangulation);
    dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
    K.reinit(dof_handler, cube.constraints, {cube.material, cube.options});
    product(K);
  }
  const std::string expected =
    "The DoFHandler that the StiffnessOperator was made with does not exist";
  Vector x(81), y(81);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.vmult(y, x); }), expected);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.lift(x); }), expected);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.compute_diagonal(); }), expected);
  EXPECT_CONTAINS(message_of<Error>([&]() { solve_plainly(K); }), expected);
  K.reinit(cube.dof_handler, cube.constraints, {cube.material, cube.options});
  product(K);
}

/// The result is right, or refused, but never a mixture.
TEST(StiffnessOperatorLife, TwoThreadsAtOnceAreNoSilentError)
{
  Cube cube;
  cube.refine(2);
  cube.hold();
  const Operator K      = cube.make_operator();
  const Vector expected = product(K);
  std::atomic<unsigned int> wrong{0}, refused{0};
  const auto work = [&]() {
    for (unsigned int n = 0; n < 200; ++n)
      try
        {
          if (product(K) != expected)
            ++wrong;
        }
      catch (const Error &error)
        {
          if (!contains(error.what(), "Two threads use one StiffnessOperator"))
            ++wrong;
          ++refused;
        }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_LT(refused, 400u);
  EXPECT_EQ(product(K), expected); // the operator is free again
}

TEST(Material, IsThatOfItsLameParameters)
{
  for (const Material expected : {Material{210e9, 0.3}, Material{1., -0.5}, Material{2., 0.49}})
    {
      const Material found = Material::from_lame(expected.lambda(), expected.mu());
      EXPECT_NEAR(found.youngs_modulus, expected.youngs_modulus, 1e-12 * expected.youngs_modulus);
      EXPECT_NEAR(found.poisson_ratio, expected.poisson_ratio, 1e-13);
    }
}

/// Expects a message from each member of an operator after its mesh or its DoFs have changed.
void expect_notice(Cube &cube, const std::function<void()> &change)
{
  cube.hold();
  auto K = cube.make_operator();
  solve_plainly(K);
  const auto preconditioner = K.preconditioner();
  change();
  const std::string expected = "The mesh or its degrees of freedom have changed since the "
                               "StiffnessOperator was made.\n  Make it anew, with reinit().";
  dealii::Vector<float> factors(cube.triangulation.n_active_cells());
  factors                     = 1.f;
  const auto expect_complaint = [&](const std::function<void()> &call) {
    EXPECT_EQ(message_of<Error>(call), expected);
  };
  expect_complaint([&]() { K.set_factors(factors); });
  expect_complaint([&]() { K.set_factors([](const auto &) { return 1.; }); });
  expect_complaint([&]() { K.set_lame([](const auto &) { return std::make_pair(1., 1.); }); });
  expect_complaint([&]() { K.set_shift(1.); });
  expect_complaint([&]() { K.set_prescribed_values(cube.constraints); });
  expect_complaint([&]() { solve_plainly(K); });
  dealii::Vector<double> x(K.m()), y(K.m());
  expect_complaint([&]() { preconditioner.vmult(y, x); });
  expect_complaint([&]() { K.mass_vmult(y, x); });
  expect_complaint([&]() { K.mass_vmult_unconstrained(y, x); });
  expect_complaint([&]() { K.vmult(y, x); });
  expect_complaint([&]() { K.lift(x); });
  expect_complaint([&]() { K.compute_diagonal(); });
}

TEST(StiffnessOperatorNotices, Refinement)
{
  Cube cube;
  expect_notice(cube, [&]() { cube.refine(1); });
}

TEST(StiffnessOperatorNotices, RefinementThatWasTakenBack)
{
  Cube cube;
  expect_notice(cube, [&]() {
    cube.triangulation.refine_global(1);
    cube.triangulation.coarsen_global(1);
    ASSERT_EQ(cube.triangulation.n_active_cells(), 8u);
    cube.refine(0);
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
      cube.refine(2);
      ASSERT_EQ(cube.triangulation.n_active_cells(), 512u);
      const auto before = dofs_of(cube);
      expect_notice(cube, [&, &renumber = renumber]() { renumber(cube.dof_handler); });
      EXPECT_NE(dofs_of(cube), before);
    }
}

// After a numbering was undone, the operator has the right one: products continue, and are correct.
TEST(StiffnessOperatorNotices, NoRenumberingThatWasTakenBack)
{
  HeldCube cube;
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
