// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"

#include "source/backend/to_host.h"
#include "source/solvers/state/load_vector.h"

namespace strut::test
{
namespace
{
/// Expects these values from all ways to read the forces.
void expect_values(const NodalForces &forces, const std::vector<double> &values)
{
  ASSERT_EQ(forces.size(), values.size());
  EXPECT_EQ(forces.dense(), values);
  std::vector<double> collected(values.size(), 0.);
  std::size_t last = 0, n = 0;
  forces.for_each([&](const std::size_t dof, const double force) {
    EXPECT_NE(force, 0.);
    EXPECT_TRUE(n++ == 0 || dof > last);
    collected[last = dof] = force;
  });
  EXPECT_EQ(collected, values);
  for (std::size_t dof = 0; dof < values.size(); ++dof)
    EXPECT_EQ(forces[dof], values[dof]) << dof;
}

TEST(NodalForces, HoldAnyNumberOfLoadedDofs)
{
  for (const std::size_t n : {0, 1, 7, 30, 5000})
    for (const std::size_t step : {1, 2, 3, 8, 1300}) // each step-th DoF is loaded
      {
        std::vector<double> values(n, 0.);
        for (std::size_t dof = step - 1; dof < n; dof += step)
          values[dof] = 1. + static_cast<double>(dof);
        expect_values(values, values);
      }
}

using ForcesOnBackendTest = PlaceTest;

/// Owned DoFs come first, then ghosts without forces.
TEST_P(ForcesOnBackendTest, AreZeroWhereNoneAre)
{
  {
    Array<double> used(memory(), std::vector<double>(300000, 7.)); // memory that was written before
  }
  for (const std::size_t n : {1, 65536, 65537, 300000})
    for (const std::size_t step : {1, 3, 70000, 400000}) // each step-th DoF is loaded
      {
        std::vector<double> values = random_vector(n, static_cast<unsigned int>(n + step));
        for (std::size_t dof = 0; dof < n; ++dof)
          if ((dof + 1) % step != 0)
            values[dof] = 0.;
        const NodalForces forces(values);
        values.resize(n + 100, 0.);
        EXPECT_TRUE(
          same_bits(to_host(memory(), forces_on_backend<double>(memory(), n + 100, forces)),
                    values));
        EXPECT_EQ(forces_on_backend<float>(memory(), n + 100, forces).to_host(),
                  std::vector<float>(values.begin(), values.end()));
      }
}

INSTANTIATE_TEST_SUITE_P(Core, ForcesOnBackendTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
