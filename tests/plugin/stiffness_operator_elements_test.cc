// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The finite elements of an application: products, diagonals and solutions, compared with the
// matrices that it assembles.
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
/// Parameters: a mesh, an element, a backend.
class StiffnessElementsProblem
  : public StiffnessProblem,
    public testing::WithParamInterface<std::tuple<const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, element, backend] = GetParam();
    start(mesh, "random and others", backend, element);
  }
};

TEST_P(StiffnessElementsProblem, MultipliesAsTheAssembledMatrix)
{
  application->assemble(true);
  for (const char *const strategy : {"auto", "ebe", "nbn"})
    {
      SCOPED_TRACE(strategy);
      options.strategy = strategy;
      application->expect_product(*make_operator(), 1e-12);
    }
}

TEST_P(StiffnessElementsProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  application->assemble(true);
  const auto K = make_plain_operator();
  K->compute_diagonal();
  SomeApplication::set_factors(*K);
  application->expect_diagonal(*K, 1e-12);
}

TEST_P(StiffnessElementsProblem, SolvesWithJacobi)
{
  application->assemble(true);
  options.preconditioner = "jacobi";
  options.tolerance      = 1e-11;
  const auto K           = make_operator();
  EXPECT_EQ(application->expect_solution(*K, 1e-7).preconditioner, "jacobi");
}

INSTANTIATE_TEST_SUITE_P(Straight,
                         StiffnessElementsProblem,
                         testing::Combine(testing::Values("distorted"),
                                          testing::Values("FE_Q(1)",
                                                          "FE_Q(2)",
                                                          "FE_SimplexP(1)",
                                                          "FE_SimplexP(2)"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
INSTANTIATE_TEST_SUITE_P(Curved,
                         StiffnessElementsProblem,
                         testing::Combine(testing::Values("bent distorted"),
                                          testing::Values("FE_Q(2)", "FE_SimplexP(2)"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
INSTANTIATE_TEST_SUITE_P(HangingNodes,
                         StiffnessElementsProblem,
                         testing::Combine(testing::Values("adapted distorted",
                                                          "bent adapted distorted"),
                                          testing::Values("FE_Q(2)"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
} // namespace
} // namespace strut::test
