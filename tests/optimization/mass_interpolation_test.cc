// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The mass at low densities: the law itself, and frequencies of bodies of one density.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"
#include "source/design/mass_interpolation.h"

#include <cmath>

namespace strut::test
{
namespace
{
// Mass by stiffness is at least that of the solid for each density, so no density vibrates faster.
TEST(MassInterpolationTest, NeverFallsBelowTheStiffness)
{
  for (const double exponent : {1., 1.5, 3., 6.})
    for (const double least : {0., 1e-9})
      {
        const Interpolation stiffness{exponent, least};
        const MassInterpolation mass{true, stiffness};
        for (int i = 0; i <= 10000; ++i)
          {
            const double rho = 1e-4 * i;
            EXPECT_GE(mass.mass(rho), stiffness.stiffness(rho) * (1. - 1e-8))
              << exponent << ' ' << least << ' ' << rho;
          }
      }
  EXPECT_EQ((MassInterpolation{false, {3., 0.}}.mass(0.01)), 0.01);
}

// Du and Olhoff's mass is rho (6e5 rho^5 - 5e6 rho^6); the rest is a share of the stiffness.
TEST(MassInterpolationTest, FallsAsTheSixthPowerAboveTheStiffness)
{
  const MassInterpolation mass{true, {3., 0.}};
  EXPECT_NEAR(mass.mass(0.05), 0.109375 * 0.05 + (1. - 0.109375) * 1.25e-4, 1e-15);
  EXPECT_NEAR(mass.mass(0.01), 5.5e-7 + (1. - 5.5e-5) * 1e-6, 1e-18);
  EXPECT_EQ(mass.mass(0.3), 0.3);
}

TEST(MassInterpolationTest, HasAContinuousDerivative)
{
  for (const double least : {0., 1e-4})
    {
      const MassInterpolation mass{true, {3., least}};
      EXPECT_NEAR(mass.mass(0.1), mass.mass(0.1 - 1e-9), 2e-9);
      EXPECT_NEAR(mass.derivative(0.1), mass.derivative(0.1 - 1e-9), 1e-6);
      for (const double rho : {0.011, 0.05, 0.09, 0.4})
        {
          const double h = 1e-6;
          EXPECT_NEAR(mass.derivative(rho),
                      (mass.mass(rho + h) - mass.mass(rho - h)) / (2. * h),
                      1e-7)
            << rho;
        }
    }
}

using VoidFrequencyTest = PlaceTest;

// A cantilever of one density has sqrt(E / m) times the frequency of the solid. This factor is at
// most 1 for void of the minimum density.
TEST_P(VoidFrequencyTest, IsNotAboveThatOfTheSolid)
{
  SmallCantilever cantilever(std::array<std::size_t, 3>{{6, 2, 2}});
  const ElementMesh &mesh = cantilever.box.mesh;
  cantilever.loads        = {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}};
  const auto frequency    = [&](const double density) {
    DesignProblem::Options &options = cantilever.options;
    options.problem                 = minimise("frequency", {backend(), Communicator(), mesh});
    options.problem.maximises       = true;
    options.maps                    = {};
    options.simp.update             = "mma";
    options.simp.volume_fraction    = density;
    options.simp.criteria.minimum_density = 0.009;
    DesignProblem problem(backend(), mesh, cantilever.loads, options);
    return problem.run(1).front();
  };
  const double solid = frequency(1.);
  for (const double density : {0.01, 0.02, 0.05, 0.2})
    {
      const MassInterpolation mass{true, cantilever.options.simp.interpolation};
      const double expected =
        solid * std::sqrt(mass.stiffness.stiffness(density) / mass.mass(density));
      EXPECT_NEAR(frequency(density), expected, 1e-5 * expected) << density;
      EXPECT_LT(expected, solid);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, VoidFrequencyTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
