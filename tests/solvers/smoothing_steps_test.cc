// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <gtest/gtest.h>

#include <array>

#include "../fixtures/box_mesh.h"
#include "source/solvers/multigrid/smoothing_steps.h"

namespace strut::test
{
namespace
{
/// A mesh of 4 x 4 x 4 unit cubes, stretched along the axes.
ElementMesh stretched(const std::array<double, 3> &factors)
{
  ElementMesh mesh = make_box(BoxOptions::unit_cubes({{4, 4, 4}})).mesh;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      mesh.coordinates[c * mesh.n_nodes + node] *= factors[c];
  return mesh;
}

unsigned int steps(const std::array<double, 3> &factors)
{
  return smoothing_steps_for(Communicator(), stretched(factors));
}

TEST(SmoothingSteps, AreTheRatioOfLongToThin)
{
  EXPECT_EQ(steps({{1, 1, 1}}), 3u);
  EXPECT_EQ(steps({{2, 1, 1}}), 3u);
  EXPECT_EQ(steps({{1, 5, 1}}), 5u); // long
  EXPECT_EQ(steps({{6, 6, 1}}), 6u); // flat
  EXPECT_EQ(steps({{0.1, 0.4, 0.7}}), 7u);
  EXPECT_EQ(steps({{1, 1, 1e-3}}), 10u);
  EXPECT_EQ(steps({{0.1, 0.1, 0.35}}), 4u); // 3.5 up to rounding
  EXPECT_EQ(steps({{1, 1, 0}}), 10u);       // no volume, which a solve reports later
}

TEST(SmoothingSteps, AreThoseThatNineElementsInTenAskFor)
{
  ElementMesh mesh = stretched({{1, 1, 1}});
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    if (double &x = mesh.coordinates[node]; x > 3.5) // the last of the four layers
      x += 6.;
  EXPECT_EQ(smoothing_steps_for(Communicator(), mesh), 7u);
  mesh = stretched({{1, 1, 1}});
  for (std::size_t i = 0; i < 8; ++i) // one element
    mesh.coordinates[mesh.connectivity[i * mesh.n_elements]] *= 1. + 1e-3 * static_cast<double>(i);
  mesh.coordinates[mesh.connectivity[0]] -= 20.;
  EXPECT_EQ(smoothing_steps_for(Communicator(), mesh), 3u);
}

TEST(SmoothingSteps, GrowWithTheStiffnessAgainstChangesOfVolume)
{
  const ElementMesh mesh = stretched({{1, 1, 1}});
  const auto steps       = [&](const double nu, const Formulation formulation) {
    return smoothing_steps_for(Communicator(), mesh, {1., nu, formulation});
  };
  EXPECT_EQ(steps(0.4999, Formulation::full_integration), 3u);
  EXPECT_EQ(steps(-0.2, Formulation::mean_dilatation), 3u);
  EXPECT_EQ(steps(0.3, Formulation::mean_dilatation), 3u);
  EXPECT_EQ(steps(0.49, Formulation::mean_dilatation), 5u);
  EXPECT_EQ(steps(0.499, Formulation::mean_dilatation), 15u);
  EXPECT_EQ(steps(0.4999, Formulation::mean_dilatation), 30u);
}

// By default levels use the mean dilatation as long as the steps suffice for it; with fewer steps,
// full integration.
TEST(SmoothingSteps, DecideHowCoarseLevelsIntegrate)
{
  const auto of = [](const double nu, const Formulation formulation, const unsigned int n) {
    return coarse_formulation({1., nu, formulation}, n);
  };
  constexpr Formulation modes = Formulation::incompatible_modes,
                        full = Formulation::full_integration, mean = Formulation::mean_dilatation;
  EXPECT_EQ(of(0.3, full, 3), full);
  EXPECT_EQ(of(0.499, full, 30), full);
  EXPECT_EQ(of(0.499, modes, 3), modes);
  EXPECT_EQ(of(-0.2, mean, 1), mean);
  EXPECT_EQ(of(0.3, mean, 3), mean);
  EXPECT_EQ(of(0.499, mean, 15), mean);
  EXPECT_EQ(of(0.499, mean, 8), full);
  EXPECT_EQ(of(0.4999, mean, 30), mean);
  EXPECT_EQ(of(0.49999, mean, 30), full);
}
} // namespace
} // namespace strut::test
