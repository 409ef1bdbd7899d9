// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/optimization/greyness.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
TEST(GreynessTest, IsThatOfTheDesignElementsByTheirVolumes)
{
  BoxMesh box       = make_box(BoxOptions::wild({{4, 3, 2}}, 5));
  ElementMesh &mesh = box.mesh;
  mesh.flags[0]     = DesignFlag::solid;
  mesh.flags[1]     = DesignFlag::empty;
  std::vector<double> densities(mesh.n_elements, 1.);
  densities[0] = densities[1] = 0.5; // no matter
  EXPECT_EQ(greyness({}, mesh, densities), 0.);

  double volume = 0.;
  for (std::size_t e = 2; e < mesh.n_elements; ++e)
    volume += mesh.volumes[e];
  densities[2] = 0.5;
  densities[3] = 0.25;
  densities[4] = 0.;
  EXPECT_NEAR(greyness({}, mesh, densities),
              (mesh.volumes[2] + 0.75 * mesh.volumes[3]) / volume,
              1e-14);

  EXPECT_NEAR(greyness({}, mesh, std::vector<double>(mesh.n_elements, 0.5)), 1., 1e-14);
  mesh.flags.assign(mesh.n_elements, DesignFlag::solid);
  EXPECT_EQ(greyness({}, mesh, densities), 0.);
}
} // namespace
} // namespace strut::test
