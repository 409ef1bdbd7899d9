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
  std::vector<VibrationReport> modes_of(const Communicator &communicator,
                                        const ElementMesh &mesh,
                                        const std::vector<std::vector<double>> &designs)
  {
    const auto state = make_state_solver(execution(communicator),
                                         {mesh, {2., 0.3}},
                                         {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}},
                                         StateSettings());
    const auto mass  = backend().make_mass_matrix(mesh, MassKind::consistent);
    std::vector<VibrationReport> reports;
    for (const std::vector<double> &design : designs)
      {
        const Array<double> factors(memory(), design);
        state->set_stiffness(factors);
        reports.push_back(state->solve_vibration(*mass, factors, {3, 1e-8, 1000}));
      }
    return reports;
  }
};

TEST_P(DistributedVibrationTest, ModesAreTheSerialOnes)
{
  BoxMesh box                                    = held_box(BoxOptions::wild({{6, 3, 3}}, 1));
  const std::vector<std::vector<double>> designs = {random_vector(box.mesh.n_elements, 1, 0.2, 1.),
                                                    random_vector(box.mesh.n_elements, 2, 0.2, 1.)};
  const auto expected                            = modes_of(Communicator(), box.mesh, designs);
  with_parts(box, [&](const Part &part) {
    const auto found =
      modes_of(world_, part.mesh, {part.of_elements(designs[0]), part.of_elements(designs[1])});
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
