// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The mean dilatation against the matrices that an application assembles with deal.II's FEValues.
#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_operator_fixture.h"

#include <string>
#include <tuple>
#include <utility>

namespace strut::plugin::test
{
namespace
{
/// A mesh, a backend.
class StiffnessVolumetricProblem
  : public StiffnessOperatorTest,
    public testing::WithParamInterface<std::tuple<const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, backend] = GetParam();
    if (const std::string reason = why_not(backend); !reason.empty())
      GTEST_SKIP() << reason;
    application           = std::make_unique<SomeApplication>(mesh, "plain");
    application->material = {200., 0.499, VolumetricIntegration::mean};
    application->assemble(true);
    data.material = application->material;
    data.options  = on(backend);
  }

  std::unique_ptr<StiffnessOperator<double>> make_operator() const
  {
    auto K = std::make_unique<StiffnessOperator<double>>();
    K->reinit(application->dof_handler, application->constraints, data);
    K->set_factors([](const auto &cell) { return SomeApplication::factor(cell->center()); });
    return K;
  }

  std::unique_ptr<SomeApplication> application;
  StiffnessOperator<double>::AdditionalData data;
};

TEST_P(StiffnessVolumetricProblem, MultipliesAsTheAssembledMatrix)
{
  for (const char *const strategy : {"ebe", "nbn", "on_the_fly"})
    {
      data.options.strategy  = strategy;
      const auto K           = make_operator();
      const TrilinosVector x = application->random_vector(2), Ax = application->product(x);
      TrilinosVector y;
      K->initialize_dof_vector(y);
      K->vmult(y, x);
      EXPECT_LT(application->distance(y, Ax), 1e-12) << strategy;
    }
}

TEST_P(StiffnessVolumetricProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  const auto K = make_operator();
  K->compute_diagonal();
  TrilinosVector expected = application->random_vector(1), diagonal(expected);
  for (const auto i : application->owned)
    {
      expected(i) =
        application->constraints.is_constrained(i) ? 1. : application->A.diag_element(i);
      diagonal(i) = K->el(i, i);
    }
  expected.compress(dealii::VectorOperation::insert);
  diagonal.compress(dealii::VectorOperation::insert);
  EXPECT_LT(application->distance(diagonal, expected), 1e-13);
}

TEST_P(StiffnessVolumetricProblem, SolvesAsADirectSolver)
{
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      data.options.preconditioner = preconditioner;
      data.options.tolerance      = 1e-12;
      data.options.max_iterations = 20000;
      const auto K                = make_operator();
      TrilinosVector u;
      K->initialize_dof_vector(u);
      const SolveReport report = K->solve(u, application->F);
      EXPECT_TRUE(report.converged) << report.remark;
      EXPECT_LT(application->distance(u, application->solution()), 1e-8) << report.preconditioner;
    }
}

// Parameters by cell are made of two operators with full integration.
TEST(StiffnessVolumetric, RefusesLameParametersByCell)
{
  Cube cube;
  cube.material = {1., 0.499, VolumetricIntegration::mean};
  EXPECT_EQ(
    cube.complaint(
      [](auto &K) { K.set_lame([](const auto &) { return std::make_pair(1., 1.); }); }),
    "An operator with Lame's parameters per element integrates the volumetric part of the stiffness as the rest, and the "
    "material asks for its mean over each element.\n  Take full volumetric integration, or stiffness factors in their place.");
}

// It is the operator with full integration unless it is asked for the mean.
TEST(StiffnessVolumetric, IsFullUnlessAskedFor)
{
  EXPECT_EQ(StiffnessOperator<double>::AdditionalData().material.volumetric_integration,
            VolumetricIntegration::full);
}

INSTANTIATE_TEST_SUITE_P(
  Problem,
  StiffnessVolumetricProblem,
  testing::Combine(testing::Values("box", "distorted", "shell", "few", "adapted ball"),
                   testing::Values("cpu", "cuda")),
  [](const auto &info) {
    std::string name = std::string(std::get<0>(info.param)) + '_' + std::get<1>(info.param);
    for (char &c : name)
      if (c == ' ')
        c = '_';
    return name;
  });
} // namespace
} // namespace strut::plugin::test
