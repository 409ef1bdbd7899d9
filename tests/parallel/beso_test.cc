// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/iso_stress_problem.h"
#include "../fixtures/mpi.h"
#include "../fixtures/partition.h"

namespace strut::test
{
namespace
{
class DistributedBesoTest : public PlaceTest
{
protected:
  const Communicator world_ = world();
};

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
      BesoProblem serial(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
      const auto &expected = serial.run();
      for (const Partition partition : all_partitions())
        {
          SCOPED_TRACE(::testing::Message() << to_string(partition) << ", rank " << world_.rank()
                                            << " of " << world_.size());
          const Part part = take_part(cantilever.box, partition, world_.size(), world_.rank());
          BesoProblem problem(backend(),
                              part.mesh,
                              {{"down", 1., part.of_owned_dofs(cantilever.loads[0].forces)}},
                              cantilever.options,
                              world_);
          const auto &history = problem.run();
          ASSERT_EQ(history.size(), expected.size());
          for (std::size_t i = 0; i < history.size(); ++i)
            {
              EXPECT_NEAR(history[i].objective,
                          expected[i].objective,
                          1e-8 * expected[i].objective);
              EXPECT_NEAR(history[i].volume_fraction, expected[i].volume_fraction, 1e-10);
            }
          EXPECT_EQ(problem.method().analysed_densities(),
                    part.of_elements(serial.method().analysed_densities()));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel,
                         DistributedBesoTest,
                         ::testing::ValuesIn(parallel_places()),
                         place_name);
} // namespace
} // namespace strut::test
