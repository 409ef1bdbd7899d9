// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The history of an optimization that raises a frequency.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"

namespace strut::test
{
namespace
{
using FrequencyHistoryTest = PlaceTest;

// Without a load the iterations are those of the eigenvalue solver, with one solve per design. The
// frequency rises.
TEST_P(FrequencyHistoryTest, CountsTheIterationsForModes)
{
  SmallCantilever cantilever(std::array<std::size_t, 3>{{6, 3, 3}});
  const ElementMesh &mesh         = cantilever.box.mesh;
  cantilever.loads                = {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}};
  DesignProblem::Options &options = cantilever.options;
  options.problem                 = minimise("frequency", {backend(), Communicator(), mesh});
  options.problem.maximises       = true;
  options.maps                    = {"density"};
  options.simp.update             = "mma";
  DesignProblem problem(backend(), mesh, cantilever.loads, options);
  const std::vector<double> frequencies = problem.run(4);
  EXPECT_GT(frequencies.back(), 1.1 * frequencies.front());
  for (const IterationRecord &record : problem.simp().history())
    {
      EXPECT_GT(record.solver_iterations, 0u) << record.iteration;
      EXPECT_EQ(record.n_solves, 1u) << record.iteration;
      EXPECT_EQ(record.residual, 0.) << record.iteration; // residual of displacements
    }
}

INSTANTIATE_TEST_SUITE_P(Core, FrequencyHistoryTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
