// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/cone_means.h"
#include "source/mesh/element_centres.h"
#include "source/optimization/maps/sensitivity_filter.h"

namespace strut::test
{
namespace
{
class SensitivityFilterTest : public PlaceTest
{
protected:
  std::vector<double> filtered(const BoxMesh &box,
                               const double radius,
                               const std::vector<double> &design,
                               const std::vector<double> &sensitivities)
  {
    Array<double> result(memory(), sensitivities);
    SensitivityFilter(backend(), Communicator(), box.mesh, radius)
      .apply(Array<double>(memory(), design), result);
    return result.to_host();
  }
};

// sum_i w_ei rho_i dC_i / (rho_e sum_i w_ei) over all pairs of elements
TEST_P(SensitivityFilterTest, EqualsTheSumOverAllPairs)
{
  const BoxMesh box           = make_box(BoxOptions::wild({{8, 6, 5}}, 3));
  const auto rho              = random_vector(box.mesh.n_elements, 1, 0.01, 1.);
  const auto dC               = random_vector(box.mesh.n_elements, 2, -5., 0.);
  std::vector<double> product = rho;
  for (std::size_t e = 0; e < rho.size(); ++e)
    product[e] *= dC[e];
  for (const double radius : {0.01, 0.2, 0.5, 3.})
    {
      auto expected = cone_means(element_centres(box.mesh), rho.size(), radius, product);
      for (std::size_t e = 0; e < rho.size(); ++e)
        expected[e] /= rho[e];
      EXPECT_LE(relative_difference(filtered(box, radius, rho, dC), expected), 1e-13)
        << "radius " << radius;
    }
}

// With a constant density the filter is a mean: constants are preserved, and the range does not
// grow.
TEST_P(SensitivityFilterTest, IsAMean)
{
  const BoxMesh box = make_box(BoxOptions::wild({{6, 6, 6}}, 4));
  const std::vector<double> rho(box.mesh.n_elements, 0.3), constant(box.mesh.n_elements, -2.5);
  EXPECT_LE(relative_difference(filtered(box, 0.4, rho, constant), constant), 1e-13);
  const auto dC = random_vector(box.mesh.n_elements, 5, -1., 0.);
  for (const double value : filtered(box, 0.4, rho, dC))
    {
      EXPECT_GE(value, *std::min_element(dC.begin(), dC.end()));
      EXPECT_LE(value, *std::max_element(dC.begin(), dC.end()));
    }
}

TEST_P(SensitivityFilterTest, AllowsAnEmptyMesh)
{
  EXPECT_TRUE(filtered(make_box(BoxOptions::regular({{0, 0, 0}})), 0.5, {}, {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Core, SensitivityFilterTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
