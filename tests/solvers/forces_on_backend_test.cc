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
