// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/iso_stress_problem.h"
#include "../fixtures/ranks_test.h"

namespace strut::test
{
namespace
{
using DistributedBesoTest = RanksTest;

// One, two or three ranks: the same compliance to 1e-8, the same volume to 1e-10.
TEST_P(DistributedBesoTest, HistoryIsTheSerialOne)
{
  for (const BesoSettings::Kill kill : {BesoSettings::Kill::soft, BesoSettings::Kill::hard})
    {
      BesoCantilever cantilever(10, 4, 4);
      cantilever.options.tolerance             = 1e-12;
      cantilever.options.max_iterations        = 15;
      cantilever.options.filter_radius         = 1.5;
      cantilever.options.method.kill           = kill;
      cantilever.options.method.evolution_rate = 0.1;
      expect_the_serial_history<BesoProblem>(
        backend(),
        cantilever,
        world_,
        [](BesoProblem &serial, BesoProblem &problem, const Part &part) {
          EXPECT_EQ(problem.method().analysed_densities(),
                    part.of_elements(serial.method().analysed_densities()));
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedBesoTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
