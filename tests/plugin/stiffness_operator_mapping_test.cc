// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The mapping of an application, given to StiffnessOperator: either the matrix is the same, or it
// is refused.
#include <deal.II/fe/mapping_cartesian.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1_eulerian.h>

#include <deal.II/grid/grid_tools.h>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using Operator = StiffnessOperator<double>;

/// The error of reinit() with a mapping; empty if there is none.
std::string complaint(Cube &cube, const dealii::Mapping<3> &mapping)
{
  if (!cube.constraints.is_closed())
    cube.constraints.close();
  Operator K;
  return message_of<Error>([&]() {
    K.reinit(mapping, cube.dof_handler, cube.constraints, {cube.material, cube.options});
  });
}

TEST(StiffnessOperatorMapping, StraightCellsMayHaveAnyMapping)
{
  Cube cube;
  dealii::GridTools::distort_random(0.2, cube.triangulation, false, 3); // its middle vertex moves
  for (const unsigned int degree : {1, 2, 3, 4, 5})
    EXPECT_EQ(complaint(cube, dealii::MappingQ<3>(degree)), "") << degree;
  EXPECT_EQ(complaint(cube, dealii::MappingQ1<3>()), "");
  EXPECT_EQ(complaint(cube, dealii::MappingFE<3>(dealii::FE_Q<3>(1))), "");
  Cube boxes;
  EXPECT_EQ(complaint(boxes, dealii::MappingCartesian<3>()), "");

  Operator with(dealii::MappingQ<3>(2), cube.dof_handler, cube.constraints, {}, cube.options);
  const dealii::Vector<double> x = some_vector(with.m());
  dealii::Vector<double> y(x), z(x);
  with.vmult(y, x);
  cube.make_operator().vmult(z, x);
  EXPECT_EQ(y, z);
}

TEST(StiffnessOperatorMapping, CurvedCellsAreRefusedByName)
{
  Cube ball;
  ball.dof_handler.clear();
  ball.triangulation.clear();
  dealii::GridGenerator::hyper_ball(ball.triangulation);
  ball.refine(1);
  EXPECT_EQ(complaint(ball, dealii::MappingQ<3>(1)), "");
  for (const unsigned int degree : {2, 3, 4})
    {
      const std::string message = complaint(ball, dealii::MappingQ<3>(degree));
      EXPECT_CONTAINS(message,
                      "the application assembles with a MappingQ of degree " +
                        std::to_string(degree) + ", which bends or moves ");
      EXPECT_CONTAINS(message, " of 56 cells: that at (");
      EXPECT_CONTAINS(message, "Assemble with MappingQ<3>(1)");
    }
  Operator K;
  EXPECT_THROW(
    K.reinit(dealii::MappingQ<3>(2), ball.dof_handler, ball.constraints, {{}, ball.options}),
    Error);
  EXPECT_EQ(K.describe(), "StiffnessOperator: empty\n");
}

/// An edge is bent like an S, with its midpoint on the straight line.
TEST(StiffnessOperatorMapping, AnEdgeMayCrossTheStraightOne)
{
  class Wave : public dealii::Manifold<3, 3>
  {
  public:
    std::unique_ptr<dealii::Manifold<3, 3>> clone() const override
    {
      return std::make_unique<Wave>();
    }
    dealii::Point<3> get_new_point(const dealii::ArrayView<const dealii::Point<3>> &surrounding,
                                   const dealii::ArrayView<const double> &weights) const override
    {
      dealii::Point<3> sum;
      for (unsigned int i = 0; i < weights.size(); ++i)
        sum += weights[i] * surrounding[i];
      sum[2] += 0.01 * std::sin(4. * dealii::numbers::PI * sum[0]);
      return sum;
    }
  };
  Cube cube; // vertices are at 0, 1/2 and 1
  EXPECT_EQ(complaint(cube, dealii::MappingQ<3>(3)), "");
  cube.triangulation.set_all_manifold_ids(5);
  cube.triangulation.set_manifold(5, Wave());
  EXPECT_CONTAINS(complaint(cube, dealii::MappingQ<3>(3)), "a MappingQ of degree 3");
}

TEST(StiffnessOperatorMapping, MovedVerticesAreRefused)
{
  Cube cube;
  dealii::Vector<double> displacements(cube.dof_handler.n_dofs());
  const dealii::MappingQ1Eulerian<3, dealii::Vector<double>> eulerian(cube.dof_handler,
                                                                      displacements);
  EXPECT_EQ(complaint(cube, eulerian), "");
  displacements(7) = 1e-3;
  EXPECT_CONTAINS(complaint(cube, eulerian), "which bends or moves ");
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()})
    {
      displacements(7)          = value;
      const std::string message = complaint(cube, eulerian);
      EXPECT_CONTAINS(message, "to points that are no numbers");
    }
}

/// Coordinates of a million have ten decimals, too few for 1e-8 of a cell of size a thousandth.
TEST(StiffnessOperatorMapping, RoundingOfCoordinatesIsNoCurve)
{
  Cube cube;
  dealii::GridTools::scale(1e-3, cube.triangulation);
  dealii::GridTools::shift(dealii::Point<3>(1e6 + 0.1, -3e6 + 0.7, 2e6 + 0.3), cube.triangulation);
  for (const unsigned int degree : {2, 3, 4})
    EXPECT_EQ(complaint(cube, dealii::MappingQ<3>(degree)), "") << degree;
}

TEST(StiffnessOperatorMapping, DoesNotGoTogetherWithAnotherDegree)
{
  Cube cube;
  cube.constraints.close();
  Operator K;
  EXPECT_CONTAINS(
    message_of<Error>([&]() {
      K.reinit(dealii::MappingQ<3>(2), cube.dof_handler, cube.constraints, {{}, cube.options, 2});
    }),
    "assembles with one of degree 2");
  dealii::Triangulation<2> plane;
  dealii::GridGenerator::hyper_cube(plane);
  dealii::DoFHandler<2> dof_handler(plane);
  EXPECT_CONTAINS(message_of<Error>(
                    [&]() { K.reinit(dealii::MappingQ<2>(1), dof_handler, cube.constraints); }),
                  "works in three dimensions");
}

/// Some ranks have curved cells, and others have none.
TEST(StiffnessOperatorMapping, ProblemOnOneRankIsHeardOnAll)
{
  SomeApplication application("ball", "plain");
  Operator K;
  EXPECT_CONTAINS(message_of<Error>([&]() {
                    K.reinit(dealii::MappingQ<3>(2),
                             application.dof_handler,
                             application.constraints,
                             {{}, {"cpu", 1}});
                  }),
                  "a MappingQ of degree 2");
}
} // namespace
} // namespace strut::test
