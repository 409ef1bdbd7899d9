// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_hierarchy.h"
#include "../fixtures/iso_stress_problem.h"

#include <algorithm>
#include <cmath>

namespace strut::test
{
namespace
{
using Kill = BesoSettings::Kill;

using BesoTest = PlaceTest;

/// A small evolution, down to a volume that its mesh can resolve.
BesoCantilever small(const Kill kill = Kill::soft)
{
  BesoCantilever cantilever;
  cantilever.options.method.kill           = kill;
  cantilever.options.method.evolution_rate = 0.04;
  cantilever.options.filter_radius         = 1.5;
  cantilever.options.volume_fraction       = 0.4;
  return cantilever;
}

// Reference of an independent program (box grid, Jacobi): 70 analyses, C = 1757.56, V = 0.30005.
// Many evolutions are possible, because choices between nearly equal elements, and of the side of a
// volume between two counts, affect all later designs. doc/studies/evolutionary-checks.md has the
// range of results.
TEST(Beso, CantileverIsThatOfTheReference)
{
  BesoCantilever cantilever(32, 16, 16);
  const MeshHierarchy coarser      = coarsen(cantilever.box, 2);
  cantilever.options.coarser       = &coarser;
  cantilever.options.tolerance     = 1e-6;
  cantilever.options.filter_radius = 1.5;
  const auto backend               = make_cpu_backend(2);
  BesoProblem problem(*backend, cantilever.box.mesh, cantilever.loads, cantilever.options);
  const auto &history = problem.run();
  EXPECT_TRUE(problem.method().converged());
  EXPECT_EQ(problem.method().verdict().text, "");
  EXPECT_NEAR(static_cast<double>(history.size()), 70., 4.);
  EXPECT_NEAR(history.front().objective, 771.8072, 1e-4 * 771.8072);
  EXPECT_LT(history.back().objective, 1.005 * 1757.56);
  EXPECT_GT(history.back().objective, 0.985 * 1757.56);
  EXPECT_NEAR(history.back().volume_fraction, 0.30005, 1e-5);
}

// An element has material or none. The volume is that of the schedule to half an element, or to
// half of a pair of mirror images.
TEST_P(BesoTest, ElementsHaveMaterialOrNone)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      const BesoCantilever cantilever = small(kill);
      const auto problem              = cantilever.make(backend());
      const double n_elements         = static_cast<double>(cantilever.box.mesh.n_elements);
      double expected                 = 1.;
      while (!problem->method().finished())
        {
          const IterationRecord record = problem->method().iterate();
          EXPECT_EQ(record.values[Beso::refused], 0.);
          EXPECT_LE(std::abs(record.volume_fraction - expected) * n_elements, 1. + 1e-9);
          EXPECT_LE(record.values[Beso::added], 0.05 + 1e-12);
          expected     = std::max(0.4, 0.96 * record.volume_fraction);
          double sum   = 0.;
          const auto x = problem->method().analysed_densities();
          for (const double density : x)
            {
              EXPECT_TRUE(density == 1. || density == (kill == Kill::soft ? 1e-3 : 0.)) << density;
              sum += density == 1. ? 1. : 0.;
            }
          EXPECT_NEAR(sum / n_elements, record.volume_fraction, 1e-12);
        }
      EXPECT_TRUE(problem->method().converged());
      EXPECT_EQ(problem->method().verdict().text, "");
    }
}

// Soft-kill with an ever softer void is hard-kill.
TEST_P(BesoTest, SoftAndHardKillAgree)
{
  const auto hard = small(Kill::hard).make(backend())->run();
  const auto soft = small(Kill::soft).make(backend())->run();
  EXPECT_NEAR(soft.back().objective, hard.back().objective, 0.02 * hard.back().objective);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(soft[i].objective, hard[i].objective, 1e-5 * hard[i].objective) << i;
}

// The halves of body and load are mirror images, and remain so.
TEST_P(BesoTest, SymmetricDesignsStaySymmetric)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      const BesoCantilever cantilever = small(kill);
      const auto problem              = cantilever.make(backend());
      problem->run();
      const auto x    = problem->method().analysed_densities();
      const auto &box = cantilever.box;
      const auto &n   = box.options.n;
      std::vector<double> at(x.size());
      const auto place = [&](const std::size_t i, const std::size_t j, const std::size_t k) {
        return i + n[0] * (j + n[1] * k);
      };
      for (std::size_t e = 0; e < x.size(); ++e)
        at[place(box.element_at[e][0], box.element_at[e][1], box.element_at[e][2])] = x[e];
      for (std::size_t e = 0; e < x.size(); ++e)
        EXPECT_EQ(
          x[e],
          at[place(box.element_at[e][0], n[1] - 1 - box.element_at[e][1], box.element_at[e][2])]);
    }
}

// Solid and void regions stay; the volume counts them.
TEST_P(BesoTest, RespectsNonDesignRegions)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      BesoCantilever cantilever = small(kill);
      cantilever.add_non_design_regions();
      const ElementMesh &mesh = cantilever.box.mesh;
      const auto problem      = cantilever.make(backend());
      const auto last         = problem->run().back();
      const auto x            = problem->method().analysed_densities();
      double volume           = 0.;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        {
          volume += (x[e] == 1. ? 1. : 0.) / static_cast<double>(mesh.n_elements);
          if (mesh.flags[e] != DesignFlag::design)
            {
              EXPECT_EQ(x[e] == 1., mesh.flags[e] == DesignFlag::solid);
            }
        }
      EXPECT_NEAR(volume, 0.4, 1.01 / static_cast<double>(mesh.n_elements));
      EXPECT_NEAR(last.volume_fraction, volume, 1e-12);
    }
}

// At most the limit is added. As much is then removed, besides the amount that the schedule
// removes.
TEST_P(BesoTest, LimitsWhatIsAdded)
{
  BesoCantilever cantilever            = small();
  cantilever.options.filter_radius     = 3.; // moves material to and fro
  const auto free                      = cantilever.make(backend())->run();
  cantilever.options.method.most_added = 0.003; // one element of 432
  const auto limited                   = cantilever.make(backend())->run();
  const auto most                      = [](const std::vector<IterationRecord> &history) {
    double largest = 0.;
    for (const IterationRecord &record : history)
      largest = std::max(largest, record.values[Beso::added]);
    return largest;
  };
  EXPECT_GT(most(free), 0.003);
  EXPECT_LE(most(limited), 0.003);
  // The schedule holds to a pair of mirror images, whether or not the limit applies. The volume
  // does not fall below that at which C V has grown by a tenth.
  double least = 1e300;
  for (std::size_t i = 1; i < limited.size(); ++i)
    {
      const IterationRecord &before = limited[i - 1];
      const double index            = before.objective * before.volume_fraction;
      least                         = std::min(least, index);
      const double asked            = std::max(0.4, 0.96 * before.volume_fraction);
      if (index > 1.1 * least)
        {
          EXPECT_GE(limited[i].volume_fraction, asked - 1.01 / 432.) << i;
          EXPECT_LE(limited[i].volume_fraction, before.volume_fraction + 0.003) << i;
        }
      else
        EXPECT_NEAR(limited[i].volume_fraction, asked, 1.01 / 432.) << i;
      EXPECT_NEAR(limited[i - 1].volume_fraction - limited[i].volume_fraction,
                  limited[i].values[Beso::removed] - limited[i].values[Beso::added],
                  1e-12)
        << i;
    }

  // without addition, removed elements never return
  cantilever.options.method.most_added = 0.;
  const auto none                      = cantilever.make(backend());
  std::vector<double> before(cantilever.box.mesh.n_elements, 1.);
  while (!none->method().finished())
    {
      EXPECT_EQ(none->method().iterate().values[Beso::added], 0.);
      const auto x = none->method().analysed_densities();
      for (std::size_t e = 0; e < x.size(); ++e)
        EXPECT_LE(x[e], before[e]);
      before = x;
    }
}

// Elements with a load on a whole face stay, and the run reaches its volume.
TEST_P(BesoTest, KeepsTheElementsAtLoads)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      BesoCantilever cantilever      = small(kill);
      cantilever.options.method.keep = SolidElements::at_loads;
      cantilever.loads   = {{"face", 1., forces(cantilever.box, [](const Position &X, const int c) {
                             return c == 2 && X[0] == 12. ? -1. : 0.;
                           })}};
      const auto problem = cantilever.make(backend());
      const IterationRecord last = problem->run().back();
      EXPECT_TRUE(problem->method().converged());
      EXPECT_FALSE(problem->method().verdict().falls_short);
      EXPECT_NEAR(last.volume_fraction, 0.4, 1.01 / 432.);
      const auto x = problem->method().analysed_densities();
      for (std::size_t e = 0; e < x.size(); ++e)
        if (cantilever.box.mesh.centre(e)[0] > 11.)
          {
            EXPECT_EQ(x[e], 1.);
          }
    }
}

/// An evolution in large steps on few elements.
BesoCantilever coarse(const Kill kill)
{
  BesoCantilever cantilever(10, 4, 4);
  cantilever.options.method.kill           = kill;
  cantilever.options.method.evolution_rate = 0.1;
  return cantilever;
}

// A volume that no mesh of this size can have: the last sound design, and why it ends.
TEST_P(BesoTest, EndsWithTheLastSoundDesign)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      BesoCantilever cantilever          = coarse(kill);
      cantilever.options.volume_fraction = 0.01;
      const auto problem                 = cantilever.make(backend());
      const auto &history                = problem->run();
      expect_last_sound_design(problem->method());
      EXPECT_GT(history.back().volume_fraction, 0.01);
    }
}

TEST_P(BesoTest, GoesOnFromItsState)
{
  for (const Kill kill : {Kill::soft, Kill::hard})
    {
      BesoCantilever cantilever          = coarse(kill);
      cantilever.options.filter_radius   = 1.5;
      cantilever.options.volume_fraction = 0.02;
      cantilever.options.deterministic   = true;
      expect_to_go_on_from_any_state([&]() { return cantilever.make(backend()); });
    }
}

INSTANTIATE_TEST_SUITE_P(Core, BesoTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
