// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/arm.h"
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
  std::vector<double> filtered(const ElementMesh &mesh,
                               const double radius,
                               const std::vector<double> &design,
                               const std::vector<double> &sensitivities,
                               const FilterWeights weights = FilterWeights::volume)
  {
    Array<double> result(memory(), sensitivities);
    SensitivityFilter(backend(), Communicator(), mesh, radius, weights)
      .apply(Array<double>(memory(), design), result);
    return result.to_host();
  }
};

std::vector<double>
product(const std::vector<double> &x, const std::vector<double> &y, const int power_of_y = 1)
{
  std::vector<double> result = x;
  for (std::size_t e = 0; e < x.size(); ++e)
    result[e] *= std::pow(y[e], power_of_y);
  return result;
}

// v_e sum_i w_ei rho_i dC_i / (rho_e sum_i w_ei v_i) over all pairs, with volumes v or ones
TEST_P(SensitivityFilterTest, EqualsTheSumOverAllPairs)
{
  const BoxMesh box = make_box(BoxOptions::wild({{8, 6, 5}}, 3));
  const auto rho    = random_vector(box.mesh.n_elements, 1, 0.01, 1.);
  const auto dC     = random_vector(box.mesh.n_elements, 2, -5., 0.);
  const auto &v     = box.mesh.volumes;
  for (const double radius : {0.01, 0.2, 0.5, 3.})
    {
      const auto centres = element_centres(box.mesh);
      const auto by_count =
        product(cone_means(centres, rho.size(), radius, product(rho, dC)), rho, -1);
      const auto means =
        cone_means(centres, rho.size(), radius, product(product(rho, dC), v, -1), v);
      EXPECT_LE(relative_difference(filtered(box.mesh, radius, rho, dC, FilterWeights::count),
                                    by_count),
                1e-13)
        << "radius " << radius;
      EXPECT_LE(relative_difference(filtered(box.mesh, radius, rho, dC),
                                    product(product(means, v), rho, -1)),
                1e-13)
        << "radius " << radius;
    }
}

// With a constant density the filter is a mean: constants are preserved, and the range does not
// grow. By volume this holds for the sensitivities per volume.
TEST_P(SensitivityFilterTest, IsAMean)
{
  const BoxMesh box = make_box(BoxOptions::wild({{6, 6, 6}}, 4));
  const std::vector<double> rho(box.mesh.n_elements, 0.3), constant(box.mesh.n_elements, -2.5),
    ones(box.mesh.n_elements, 1.);
  const auto random = random_vector(box.mesh.n_elements, 5, -1., 0.);
  for (const FilterWeights weights : {FilterWeights::count, FilterWeights::volume})
    {
      const auto &v = weights == FilterWeights::volume ? box.mesh.volumes : ones;
      const auto of = [&](const std::vector<double> &density) {
        return product(filtered(box.mesh, 0.4, rho, product(density, v), weights), v, -1);
      };
      EXPECT_LE(relative_difference(of(constant), constant), 1e-13);
      for (const double value : of(random))
        {
          EXPECT_GE(value, *std::min_element(random.begin(), random.end()));
          EXPECT_LE(value, *std::max_element(random.begin(), random.end()));
        }
    }
}

// The update of optimality criteria leaves a uniform design of uniform energy density alone: B_e is
// 1 in elements of any type and size.
TEST_P(SensitivityFilterTest, KeepsAUniformEnergyDensity)
{
  for (const ElementType &type : element_types())
    {
      SCOPED_TRACE(type.name);
      const Arm arm(type);
      const std::size_t n = arm.mesh.n_elements;
      const auto &v       = arm.mesh.volumes;
      const std::vector<double> rho(n, 0.4), density(n, -3.7);
      const auto dC = product(density, v);
      std::vector<double> by_volume =
        product(filtered(arm.mesh, 0.75, rho, dC), product(density, v), -1);
      for (const double b : by_volume)
        EXPECT_NEAR(b, 1., 1e-12);
      const auto by_count =
        product(filtered(arm.mesh, 0.75, rho, dC, FilterWeights::count), dC, -1);
      EXPECT_GT(*std::max_element(by_count.begin(), by_count.end()), 1.03);
    }
}

// Where all elements have one volume up to rounding, both weights are the same arithmetic.
TEST_P(SensitivityFilterTest, WeightsMakeNoDifferenceToABitOnABox)
{
  BoxMesh box = make_box(BoxOptions::regular({{7, 5, 4}}).shuffled());
  box.mesh.volumes[3] *= 1. + 1e-11;
  const auto rho = random_vector(box.mesh.n_elements, 1, 0.01, 1.);
  const auto dC  = random_vector(box.mesh.n_elements, 2, -5., 0.);
  for (const double radius : {0.2, 0.5})
    EXPECT_TRUE(same_bits(filtered(box.mesh, radius, rho, dC),
                          filtered(box.mesh, radius, rho, dC, FilterWeights::count)));
}

// The images behind a plane weigh as their elements do: the filter is that of the whole body.
TEST_P(SensitivityFilterTest, ImagesHaveVolumes)
{
  ElementMesh half     = Arm(type_of<Tet4>()).mesh;
  const std::size_t n  = half.n_elements;
  ElementMesh whole    = half;
  half.symmetry_planes = {{0, 0.}};
  whole.n_nodes = whole.n_owned_nodes = 2 * half.n_nodes;
  whole.n_elements                    = 2 * n;
  whole.coordinates.clear();
  whole.connectivity.clear();
  for (std::size_t d = 0; d < 3; ++d)
    for (const double sign : {1., d == 0 ? -1. : 1.})
      for (std::size_t node = 0; node < half.n_nodes; ++node)
        whole.coordinates.push_back(sign * half.coordinates[d * half.n_nodes + node]);
  for (std::size_t a = 0; a < 4; ++a)
    for (const std::size_t shift : {std::size_t(0), half.n_nodes})
      for (std::size_t e = 0; e < n; ++e)
        whole.connectivity.push_back(static_cast<LocalIndex>(half.connectivity[a * n + e] + shift));
  const auto twice = [](std::vector<double> values) {
    values.resize(2 * values.size());
    std::copy_n(values.begin(), values.size() / 2, values.begin() + values.size() / 2);
    return values;
  };
  whole.volumes  = twice(half.volumes);
  const auto rho = random_vector(n, 1, 0.01, 1.), dC = random_vector(n, 2, -5., 0.);
  EXPECT_LE(relative_difference(twice(filtered(half, 0.75, rho, dC)),
                                filtered(whole, 0.75, twice(rho), twice(dC))),
            1e-13);
}

TEST_P(SensitivityFilterTest, AllowsAnEmptyMesh)
{
  EXPECT_TRUE(filtered(make_box(BoxOptions::regular({{0, 0, 0}})).mesh, 0.5, {}, {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Core, SensitivityFilterTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
