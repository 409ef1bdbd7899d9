// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/solvers/state/nodal_forces.h>

#include <gtest/gtest.h>

#include <vector>

namespace strut
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
} // namespace

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
} // namespace strut
