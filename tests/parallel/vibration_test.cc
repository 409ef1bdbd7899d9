// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Modes of vibration on several ranks equal those of one, also if they start from the last
// design's.
#include "../fixtures/ranks_test.h"
#include "source/backend/mass_matrix.h"
#include "source/solvers/state/vibration.h"

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
class DistributedVibrationTest : public RanksTest
{
protected:
  /// The reports of two successive designs.
  std::vector<VibrationReport> modes_of(const Part &part, const std::size_t n_elements)
  {
    const std::vector<double> no_force(part.mesh.n_dofs(), 0.);
    const auto state = make_state_solver(execution(part.communicator),
                                         {part.mesh, {2., 0.3}},
                                         {{"none", 1., no_force}},
                                         StateSettings());
    const auto mass  = backend().make_mass_matrix(part.mesh, MassKind::consistent);
    std::vector<VibrationReport> reports;
    for (const unsigned int seed : {1, 2})
      {
        const auto design = random_vector(n_elements, seed, 0.2, 1.);
        const Array<double> factors(memory(), part.of_elements(design));
        state->set_stiffness(factors);
        reports.push_back(state->solve_vibration(*mass, factors, {3, 1e-8, 1000}));
      }
    return reports;
  }
};

TEST_P(DistributedVibrationTest, ModesAreTheSerialOnes)
{
  const BoxMesh box = held_box(BoxOptions::wild({{6, 3, 3}}, 1));
  const auto modes  = [&](const Part &part) { return modes_of(part, box.mesh.n_elements); };
  with_serial(box, modes, [](const Part &, const auto &found, const auto &expected) {
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(found[d].eigenvalues[i],
                    expected[d].eigenvalues[i],
                    1e-12 * expected[d].eigenvalues[i])
          << "design " << d;
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedVibrationTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
