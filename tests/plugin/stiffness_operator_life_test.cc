// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator as a member of a user's class: empty, filled, moved, cleared; used after the
// end of its mesh, and by two threads.
#include <deal.II/base/mg_level_object.h>

#include <atomic>
#include <thread>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using Operator = StiffnessOperator<double>;
using Vector   = dealii::Vector<double>;

Vector product(const Operator &K)
{
  Vector x(K.m()), y(K.m());
  for (unsigned int i = 0; i < x.size(); ++i)
    x(i) = std::sin(1. + i);
  K.vmult(y, x);
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
  finer.triangulation.refine_global(1);
  finer.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  Operator K;
  for (Cube *const one : {&cube, &finer, &cube})
    {
      if (!one->constraints.is_closed())
        one->hold();
      one->constraints.close();
      const Operator expected(one->dof_handler, one->constraints, one->material, one->options);
      K.reinit(one->dof_handler, one->constraints, {one->material, one->options});
      EXPECT_EQ(K.m(), one->dof_handler.n_dofs());
      EXPECT_EQ(product(K), product(expected));
    }
}

TEST(StiffnessOperatorLife, MovesAndLevels)
{
  Cube cube;
  cube.hold();
  cube.constraints.close();
  Operator first(cube.dof_handler, cube.constraints, cube.material, cube.options);
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
  Cube cube;
  cube.hold();
  cube.constraints.close();
  Operator K(cube.dof_handler, cube.constraints, cube.material, cube.options);
  EXPECT_TRUE(contains(message_of<Error>([&]() {
                         K.reinit(cube.dof_handler, cube.constraints, {{-1., 0.3}, cube.options});
                       }),
                       "E = -1"));
  EXPECT_EQ(K.describe(), "StiffnessOperator: empty\n");
}

TEST(StiffnessOperatorLife, RefusesCurvedMappingsAndOtherDimensions)
{
  Cube cube;
  cube.hold();
  cube.constraints.close();
  Operator K;
  EXPECT_TRUE(contains(message_of<Error>([&]() {
                         K.reinit(cube.dof_handler, cube.constraints, {{}, cube.options, 3});
                       }),
                       "assembles with one of degree 3"));
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
  Cube cube;
  cube.hold();
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
  EXPECT_TRUE(contains(message_of<Error>([&]() { K.vmult(y, x); }), expected));
  EXPECT_TRUE(contains(message_of<Error>([&]() { K.lift(x); }), expected));
  EXPECT_TRUE(contains(message_of<Error>([&]() { K.compute_diagonal(); }), expected));
  EXPECT_TRUE(contains(message_of<Error>([&]() { solve_plainly(K); }), expected));
  K.reinit(cube.dof_handler, cube.constraints, {cube.material, cube.options});
  product(K);
}

/// The result is right, or refused, but never a mixture.
TEST(StiffnessOperatorLife, TwoThreadsAtOnceAreNoSilentError)
{
  Cube cube;
  cube.triangulation.refine_global(2);
  cube.dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  cube.hold();
  cube.constraints.close();
  const Operator K(cube.dof_handler, cube.constraints, cube.material, cube.options);
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
} // namespace
} // namespace strut::test
