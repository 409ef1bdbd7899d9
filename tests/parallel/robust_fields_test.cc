// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The fields of a robust design on several ranks.
#include "../fixtures/design_problem.h"
#include "../fixtures/ranks_test.h"
#include "source/base/packed_values.h"

namespace strut::test
{
namespace
{
using DistributedRobustFieldsTest = RanksTest;

// Objectives, volumes and designs are those of one rank alone, also after a restart from the state.
TEST_P(DistributedRobustFieldsTest, EqualTheSerialOnes)
{
  SmallCantilever cantilever(std::array<std::size_t, 3>{{12, 4, 2}});
  auto &options                = cantilever.options;
  options.maps                 = {"density", "projection"};
  options.projection           = {{"Sharpness", 2.}, {"Iterations per sharpness", 4.}};
  options.simp.volume_fraction = 0.5;
  options.simp.update          = "mma";
  for (const RobustFields::Kind kind : {RobustFields::Kind::worst_case,
                                        RobustFields::Kind::eroded_and_dilated,
                                        RobustFields::Kind::eroded})
    {
      options.problem.fields = {kind, 0.15, 3};
      DesignProblem serial(backend(), cantilever.box.mesh, cantilever.loads, options);
      serial.run(6);
      with_parts(cantilever.box, [&](const Part &part) {
        const std::vector<LoadCase> loads = part.of_loads(cantilever.loads);
        DesignProblem begun(backend(), part.mesh, loads, options, world_);
        begun.run(3);
        DesignProblem problem(backend(), part.mesh, loads, options, world_);
        problem.simp().restore(begun.simp().state(), begun.simp().history());
        problem.state().set_displacement(0,
                                         begun.state().displacement(0),
                                         begun.state().displacement_before(0));
        problem.run(3);
        for (std::size_t i = 0; i < 6; ++i)
          {
            const IterationRecord &expected = serial.simp().history()[i];
            const IterationRecord &found    = problem.simp().history()[i];
            EXPECT_NEAR(found.objective, expected.objective, 1e-6 * expected.objective);
            EXPECT_NEAR(found.volume_fraction, expected.volume_fraction, 1e-6);
          }
        const auto expected = serial.simp().fields(), found = problem.simp().fields();
        ASSERT_EQ(found.size(), 3u);
        for (std::size_t f = 0; f < 3; ++f)
          {
            EXPECT_NEAR(found[f].volume_fraction, expected[f].volume_fraction, 1e-6);
            const auto of_serial = part.of_elements(serial.simp().field_densities(f));
            const auto densities = problem.simp().field_densities(f);
            for (std::size_t e = 0; e < densities.size(); ++e)
              EXPECT_NEAR(densities[e], of_serial[e], 1e-4) << "element " << e;
          }
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedRobustFieldsTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
