// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Evolutions on several ranks: BESO and iso-surfaces of the stress.
#include "../fixtures/iso_stress_problem.h"
#include "../fixtures/ranks_test.h"

namespace strut::test
{
namespace
{
class DistributedEvolutionTest : public RanksTest
{
protected:
  /// Expects the same compliance to 1e-8 and the same volume to 1e-10 on all ranks together as on
  /// one alone. Calls body(serial, problem, part) at the end of each.
  template <typename Problem, typename Body>
  void expect_the_serial_history(const UnitCubeCantilever<Problem> &cantilever, const Body &body)
  {
    Problem serial(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
    const auto &expected = serial.run();
    with_parts(cantilever.box, [&](const Part &part) {
      Problem problem(
        backend(), part.mesh, part.of_loads(cantilever.loads), cantilever.options, world_);
      const auto &history = problem.run();
      ASSERT_EQ(history.size(), expected.size());
      for (std::size_t i = 0; i < history.size(); ++i)
        {
          EXPECT_NEAR(history[i].objective, expected[i].objective, 1e-8 * expected[i].objective);
          EXPECT_NEAR(history[i].volume_fraction, expected[i].volume_fraction, 1e-10);
        }
      body(serial, problem, part);
    });
  }
};

using DistributedBesoTest      = DistributedEvolutionTest;
using DistributedIsoStressTest = DistributedEvolutionTest;

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
        cantilever, [](BesoProblem &serial, BesoProblem &problem, const Part &part) {
          EXPECT_EQ(problem.method().analysed_densities(),
                    part.of_elements(serial.method().analysed_densities()));
        });
    }
}

// Cuts are refused on the way, and there are islands.
TEST_P(DistributedIsoStressTest, HistoryIsTheSerialOne)
{
  EvolvingCantilever cantilever(10, 4, 4);
  cantilever.options.tolerance      = 1e-12;
  cantilever.options.max_iterations = 10;
  expect_the_serial_history<IsoStressProblem>(cantilever, [](auto &...) {});
}

// Random shares of the elements of a box: the same obstacle or islands, and the same volume.
TEST_P(DistributedIsoStressTest, LoadPathIsThatOfTheWhole)
{
  EvolvingCantilever cantilever(9, 5, 4);
  const BoxMesh &box = cantilever.box;
  with_parts(box, [&](const Part &part) {
    IsoStressProblem serial(backend(), box.mesh, cantilever.loads, cantilever.options);
    IsoStressProblem problem(
      backend(), part.mesh, part.of_loads(cantilever.loads), cantilever.options, world_);
    const auto whole_fields = backend().make_nodal_fields(box.mesh);
    const auto fields       = backend().make_nodal_fields(part.mesh);
    LoadPath whole(backend(), {}, box.mesh, serial.state());
    LoadPath path(backend(), world_, part.mesh, problem.state());
    for (unsigned int seed = 1; seed < 20; ++seed)
      {
        auto design = random_vector(box.mesh.n_elements, seed);
        for (std::size_t e = 0; e < design.size(); ++e)
          design[e] =
            box.element_at[e][2] == 0 || design[e] > 0.5 ? 0.5 + 0.5 * std::abs(design[e]) : 0.;
        if (seed % 4 == 0) // a gap, often
          for (std::size_t e = 0; e < design.size(); ++e)
            design[e] = box.element_at[e][0] == 4 ? 0. : design[e];
        Array<double> all(memory(), design), own(memory(), part.of_elements(design));
        const auto expected =
          whole.update(*whole_fields, Array<DesignFlag>(memory(), box.mesh.flags), all);
        const auto report = path.update(*fields, Array<DesignFlag>(memory(), part.mesh.flags), own);
        EXPECT_EQ(report.obstacle, expected.obstacle) << seed;
        EXPECT_NEAR(report.volume, expected.volume, 1e-12) << seed;
        EXPECT_EQ(own.to_host(), part.of_elements(all.to_host())) << seed;
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedBesoTest, at_parallel_places(), place_name);
INSTANTIATE_TEST_SUITE_P(Parallel, DistributedIsoStressTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
