// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"

#include <strut/backend/design_operations.h>
#include <strut/design/optimality_criteria.h>

#include <optional>

namespace strut::test
{
namespace
{
// E(1) = 1, E(0) = Emin, E' by central differences; plain and modified SIMP.
TEST(Interpolation, DerivativeIsThatOfTheStiffness)
{
  for (const Interpolation law : {Interpolation{3., 0.},
                                  Interpolation{3., 1e-9},
                                  Interpolation{1., 0.},
                                  Interpolation{2.5, 1e-2}})
    {
      EXPECT_NEAR(law.stiffness(1.), 1., 1e-15);
      EXPECT_EQ(law.stiffness(0.), law.minimum_stiffness);
      for (double rho = 0.05; rho < 1.; rho += 0.05)
        {
          constexpr double h = 1e-5;
          const double slope = (law.stiffness(rho + h) - law.stiffness(rho - h)) / (2. * h);
          EXPECT_NEAR(law.derivative(rho), slope, 1e-9);
        }
    }
}

/// n elements with densities, sensitivities, volumes and flags.
struct Design
{
  explicit Design(const std::size_t n)
    : rho(random_vector(n, 1, 0.01, 1.))
    , dC(random_vector(n, 2, -3., 0.1)) // some of the wrong sign
    , dV(random_vector(n, 3, 0.5, 2.))
    , flags(mixed_flags(n))
  {}
  std::vector<double> rho, dC, dV;
  std::vector<DesignFlag> flags;
};

class DesignOperationsTest : public PlaceTest
{
protected:
  /// New densities, and the volume that the backend says they have.
  std::pair<std::vector<double>, double> update(const OptimalityCriteria &criteria,
                                                const double lambda,
                                                const Design &design,
                                                const std::optional<double> common_volume = {})
  {
    const Array<double> volumes(memory(), design.dV);
    Array<double> result(memory(), poison<double>(design.rho.size()));
    const double volume =
      backend().design_operations().optimality_update(criteria,
                                                      lambda,
                                                      Array<double>(memory(), design.rho),
                                                      Array<double>(memory(), design.dC),
                                                      common_volume ? ElementNumbers(*common_volume)
                                                                    : volumes,
                                                      Array<DesignFlag>(memory(), design.flags),
                                                      result);
    return {result.to_host(), volume};
  }

  static std::vector<std::size_t> sizes()
  {
    return {0, 1, 33, 10007};
  }
};

// E_e = Emin + rho_e^p (1 - Emin)
TEST_P(DesignOperationsTest, Interpolate)
{
  const Interpolation law{3., 1e-4};
  for (const std::size_t n : sizes())
    {
      const Design design(n);
      Array<double> E(memory(), poison<double>(n));
      backend().design_operations().interpolate(law, Array<double>(memory(), design.rho), E);
      std::vector<double> expected;
      for (const double rho : design.rho)
        expected.push_back(1e-4 + rho * rho * rho * (1. - 1e-4));
      EXPECT_LE(relative_difference(E.to_host(), expected), 1e-14);
    }
}

// sum_e E(rho_e) c_e
TEST_P(DesignOperationsTest, StoredEnergy)
{
  const Interpolation law{3., 1e-4};
  for (const std::size_t n : sizes())
    {
      const Design design(n);
      double expected = 0.;
      for (std::size_t e = 0; e < n; ++e)
        expected += (1e-4 + std::pow(design.rho[e], 3.) * (1. - 1e-4)) * design.dV[e];
      EXPECT_NEAR(backend().design_operations().stored_energy(law,
                                                              Array<double>(memory(), design.rho),
                                                              Array<double>(memory(), design.dV)),
                  expected,
                  1e-13 * expected);
    }
}

// dC_e <- dC_e - w p rho_e^(p-1) (1 - Emin) c_e
TEST_P(DesignOperationsTest, AddSensitivities)
{
  const Interpolation law{3., 0.01};
  for (const std::size_t n : sizes())
    {
      const Design design(n);
      Array<double> dC(memory(), design.dC);
      backend().design_operations().add_sensitivities(
        law, 0.25, Array<double>(memory(), design.rho), Array<double>(memory(), design.dV), dC);
      std::vector<double> expected;
      for (std::size_t e = 0; e < n; ++e)
        expected.push_back(design.dC[e] -
                           0.25 * 3. * design.rho[e] * design.rho[e] * 0.99 * design.dV[e]);
      EXPECT_LE(relative_difference(dC.to_host(), expected), 1e-14);
    }
}

// rho sqrt(-dC / (lambda dV)) where no limit is met; the volume is sum_e dV_e rho_e.
TEST_P(DesignOperationsTest, OptimalityUpdate)
{
  const OptimalityCriteria criteria{0.15, 0.5, 0.02};
  for (const std::size_t n : sizes())
    for (const double lambda : {1e-3, 0.5, 1., 2., 1e3})
      {
        const Design design(n);
        const auto result = update(criteria, lambda, design);
        std::vector<double> expected;
        for (std::size_t e = 0; e < n; ++e)
          {
            const double rho = design.rho[e];
            double value =
              design.dC[e] < 0. ? rho * std::sqrt(-design.dC[e] / lambda / design.dV[e]) : 0.;
            value = std::min({std::max({value, rho - 0.15, 0.02}), rho + 0.15, 1.});
            expected.push_back(design.flags[e] == DesignFlag::design ? value : rho);
          }
        EXPECT_LE(relative_difference(result.first, expected), 1e-14);
        EXPECT_NEAR(result.second, dot(expected, design.dV), 1e-13 * static_cast<double>(n));
      }
}

// One volume for all elements, as a number: the bits of an array that is full of it.
TEST_P(DesignOperationsTest, OptimalityUpdateWithOneVolume)
{
  const OptimalityCriteria criteria{0.15, 0.5, 0.02};
  for (const std::size_t n : sizes())
    for (const double volume : {1., 0.37})
      {
        Design design(n);
        design.dV.assign(n, volume);
        const auto expected = update(criteria, 0.8, design);
        const auto found    = update(criteria, 0.8, design, volume);
        EXPECT_TRUE(same_bits(found.first, expected.first));
        EXPECT_EQ(found.second, expected.second);
      }
}

// Bounds hold for any multiplier; the volume never grows with it (what the bisection relies on).
TEST_P(DesignOperationsTest, OptimalityUpdateStaysWithinBounds)
{
  const OptimalityCriteria criteria{0.2, 0.5, 0.05};
  Design design(2000);
  for (double &rho : design.rho)
    rho = std::max(rho, 0.05);
  double last = 1e300;
  for (double lambda = 1e-12; lambda < 1e12; lambda *= 10.)
    {
      const auto result = update(criteria, lambda, design);
      for (std::size_t e = 0; e < design.rho.size(); ++e)
        {
          ASSERT_GE(result.first[e], 0.05);
          ASSERT_LE(result.first[e], 1.);
          ASSERT_LE(std::abs(result.first[e] - design.rho[e]), 0.2 + 1e-15);
        }
      EXPECT_LE(result.second, last);
      last = result.second;
    }
}

// The volume of a trial is the same bits for the same input.
TEST_P(DesignOperationsTest, VolumeIsTheSameBits)
{
  const Design design(20011);
  const double volume = update({}, 0.7, design).second;
  for (int repetition = 0; repetition < 5; ++repetition)
    EXPECT_EQ(update({}, 0.7, design).second, volume);
}

INSTANTIATE_TEST_SUITE_P(Core, DesignOperationsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
