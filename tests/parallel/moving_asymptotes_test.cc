// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Steps of MMA and GCMMA with the elements distributed to ranks.
#include "../fixtures/ranks_test.h"
#include "../fixtures/vectors.h"

#include "source/optimization/updates/moving_asymptotes.h"

namespace strut::test
{
namespace
{
class DistributedMovingAsymptotesTest : public RanksTest
{
protected:
  static constexpr std::size_t n = 5003;

  /// Designs and multipliers of five steps, for this rank's elements. The objective is sum_e c_e /
  /// x_e, with m budgets of material.
  std::pair<std::vector<double>, std::vector<double>>
  designs(const Communicator &communicator,
          const std::vector<std::size_t> &elements,
          const std::size_t m,
          const bool globally_convergent)
  {
    const auto cost = random_vector(n, 1, 0.2 / n, 3. / n);
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < m; ++i)
      weights.push_back(random_vector(n, 2 + static_cast<unsigned int>(i), 0., 2. / n));
    const auto values = [&](const std::vector<double> &x) {
      std::vector<double> f(m + 1, 0.);
      for (std::size_t k = 0; k < elements.size(); ++k)
        {
          f[0] += cost[elements[k]] / x[k];
          for (std::size_t i = 0; i < m; ++i)
            f[i + 1] += weights[i][elements[k]] * x[k];
        }
      communicator.sum(f.data(), f.size());
      for (std::size_t i = 0; i < m; ++i)
        f[i + 1] -= 0.4 + 0.05 * static_cast<double>(i % 3);
      return f;
    };

    std::vector<DesignFlag> flags_of;
    std::vector<double> x;
    for (const std::size_t e : elements)
      {
        flags_of.push_back(e % 13 == 0 ? DesignFlag::solid : DesignFlag::design);
        x.push_back(e % 13 == 0 ? 1. : 0.5);
      }
    const Array<DesignFlag> flags(memory(), flags_of);
    MovingAsymptotes update(backend(), communicator, flags, {});
    std::vector<double> all, multipliers;
    for (int iteration = 0; iteration < 5; ++iteration)
      {
        std::vector<std::vector<double>> g(m + 1);
        for (std::size_t k = 0; k < elements.size(); ++k)
          {
            g[0].push_back(-cost[elements[k]] / (x[k] * x[k]));
            for (std::size_t i = 0; i < m; ++i)
              g[i + 1].push_back(weights[i][elements[k]]);
          }
        std::vector<Array<double>> derivatives;
        for (const auto &derivative : g)
          derivatives.emplace_back(memory(), derivative);
        const auto f = values(x);
        const Array<double> design(memory(), x);
        DesignPoint point{design, design, {f[0], 1., &derivatives[0]}};
        for (std::size_t i = 0; i < m; ++i)
          point.constraints.push_back({f[i + 1], 1., &derivatives[i + 1]});
        Array<double> next(memory(), x.size());
        const auto evaluate = [&](const Array<double> &trial) { return values(trial.to_host()); };
        const auto step =
          globally_convergent ? update.step(point, next, evaluate) : update.step(point, next);
        EXPECT_TRUE(step.is_solved);
        x = next.to_host();
        all.insert(all.end(), x.begin(), x.end());
        multipliers.insert(multipliers.end(), step.multipliers.begin(), step.multipliers.end());

        // A checkpoint on the way.
        const auto state = update.state();
        update.restore({});
        update.restore(state);
      }
    return {all, multipliers};
  }
};

// Every rank has some elements, or the second one none.
TEST_P(DistributedMovingAsymptotesTest, StepsAreThoseOfOneRank)
{
  for (const bool with_empty_rank : {false, true})
    for (const bool globally_convergent : {false, true})
      for (const std::size_t m : {1, 3, 10})
        {
          SCOPED_TRACE(::testing::Message() << m << " constraints, rank " << world_.rank());
          std::vector<std::size_t> whole, elements;
          for (std::size_t e = 0; e < n; ++e)
            {
              whole.push_back(e);
              std::size_t rank = e * e % static_cast<std::size_t>(world_.size());
              if (with_empty_rank && rank == 1)
                rank = 0;
              if (rank == static_cast<std::size_t>(world_.rank()))
                elements.push_back(e);
            }
          const auto serial   = designs(Communicator(), whole, m, globally_convergent);
          const auto parallel = designs(world_, elements, m, globally_convergent);
          EXPECT_LE(relative_difference(parallel.second, serial.second), 1e-8);
          for (std::size_t iteration = 0; iteration < 5; ++iteration)
            for (std::size_t k = 0; k < elements.size(); ++k)
              ASSERT_NEAR(parallel.first[iteration * elements.size() + k],
                          serial.first[iteration * n + elements[k]],
                          1e-8);
        }
}

INSTANTIATE_TEST_SUITE_P(Parallel,
                         DistributedMovingAsymptotesTest,
                         at_parallel_places(),
                         place_name);
} // namespace
} // namespace strut::test
