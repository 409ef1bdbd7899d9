// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/choose_backend.h"

#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
// Ranks 0 and 1 have one GPU, the others one each; as many as there are.
TEST(OutputRankTable, KnowsWhoSharesAGpu)
{
  int mpi_runs = 0;
  MPI_Initialized(&mpi_runs);
  const Communicator world = mpi_runs == 0 ? Communicator() : Communicator(MPI_COMM_WORLD);
  const RankTable shared(world, "GPU-" + std::to_string(std::max(1, world.rank())));
  const bool shares = world.size() > 1;
  EXPECT_EQ(shared.sharing(),
            shares ? (std::vector<std::string>{"0", "1"}) : std::vector<std::string>{});
  EXPECT_EQ(shared.n_sharing(), shares && world.rank() < 2 ? 2 : 1);
  ASSERT_EQ(shared.lines().size(), static_cast<std::size_t>(world.size()));
  EXPECT_CONTAINS(shared.lines().back(), "GPU-" + std::to_string(std::max(1, world.size() - 1)));

  const RankTable own(world, "GPU-" + std::to_string(world.rank()));
  EXPECT_TRUE(own.sharing().empty());
  EXPECT_EQ(own.n_sharing(), 1);
}
} // namespace
} // namespace strut
