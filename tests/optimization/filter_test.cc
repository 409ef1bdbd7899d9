// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "source/mesh/element_centres.h"

#include <strut/base/exceptions.h>
#include <strut/optimization/filter.h>

namespace strut::test
{
namespace
{
class FilterTest : public PlaceTest
{
protected:
  std::vector<double> filtered(const std::string &name,
                               const BoxMesh &box,
                               const double radius,
                               const std::vector<double> &design,
                               const std::vector<double> &sensitivities)
  {
    const auto filter = make_filter(name, backend(), Communicator(), box.mesh, {radius});
    Array<double> result(memory(), sensitivities);
    filter->objective_sensitivities(Array<double>(memory(), design), result);
    return result.to_host();
  }
};

// sum_i w_ei rho_i dC_i / (rho_e sum_i w_ei) over all pairs of elements
std::vector<double> brute_force(const BoxMesh &box,
                                const double radius,
                                const std::vector<double> &rho,
                                const std::vector<double> &dC)
{
  const std::size_t n = box.mesh.n_elements;
  const auto x        = element_centres(box.mesh);
  std::vector<double> result(n);
  for (std::size_t e = 0; e < n; ++e)
    {
      double sum = 0, weights = 0;
      for (std::size_t i = 0; i < n; ++i)
        {
          const double dx = x[e] - x[i], dy = x[n + e] - x[n + i], dz = x[2 * n + e] - x[2 * n + i];
          const double weight = std::max(0., radius - std::sqrt(dx * dx + dy * dy + dz * dz));
          sum += weight * rho[i] * dC[i];
          weights += weight;
        }
      result[e] = sum / (rho[e] * weights);
    }
  return result;
}

TEST_P(FilterTest, SensitivityFilterEqualsTheSumOverAllPairs)
{
  const BoxMesh box = make_box(BoxOptions::wild({{8, 6, 5}}, 3));
  const auto rho    = random_vector(box.mesh.n_elements, 1, 0.01, 1.);
  const auto dC     = random_vector(box.mesh.n_elements, 2, -5., 0.);
  for (const double radius : {0.01, 0.2, 0.5, 3.})
    EXPECT_LE(relative_difference(filtered("sensitivity", box, radius, rho, dC),
                                  brute_force(box, radius, rho, dC)),
              1e-13)
      << "radius " << radius;
}

// With a constant density the filter is a mean: constants stay, and nothing leaves the range.
TEST_P(FilterTest, SensitivityFilterIsAMean)
{
  const BoxMesh box = make_box(BoxOptions::wild({{6, 6, 6}}, 4));
  const std::vector<double> rho(box.mesh.n_elements, 0.3), constant(box.mesh.n_elements, -2.5);
  EXPECT_LE(relative_difference(filtered("sensitivity", box, 0.4, rho, constant), constant), 1e-13);
  const auto dC = random_vector(box.mesh.n_elements, 5, -1., 0.);
  for (const double value : filtered("sensitivity", box, 0.4, rho, dC))
    {
      EXPECT_GE(value, *std::min_element(dC.begin(), dC.end()));
      EXPECT_LE(value, *std::max_element(dC.begin(), dC.end()));
    }
}

// Without a filter, and with a radius of zero, sensitivities stay as they are.
TEST_P(FilterTest, NoneChangesNothing)
{
  const BoxMesh box = make_box(BoxOptions::wild({{3, 3, 3}}, 4));
  const auto rho    = random_vector(box.mesh.n_elements, 1, 0.1, 1.);
  const auto dC     = random_vector(box.mesh.n_elements, 2, -5., 0.);
  EXPECT_TRUE(same_bits(filtered("none", box, 0.5, rho, dC), dC));
  EXPECT_TRUE(same_bits(filtered("sensitivity", box, 0., rho, dC), dC));
}

// The optimization asks a filter that keeps the densities neither for them nor for sensitivities of the volume. One
// that does not keep them changes them. With a radius of zero all keep them.
TEST_P(FilterTest, FiltersSayWhetherTheyKeepTheDensities)
{
  const BoxMesh box   = make_box(BoxOptions::wild({{3, 3, 3}}, 4));
  const auto rho      = random_vector(box.mesh.n_elements, 1, 0.1, 1.);
  const auto filtered = [&](Filter &filter) {
    Array<double> densities(memory(), box.mesh.n_elements);
    filter.begin_iteration(1);
    filter.densities(Array<double>(memory(), rho), densities);
    return densities.to_host();
  };
  for (const std::string name : {"sensitivity", "density", "projection", "none"})
    {
      const bool keeps  = name == "sensitivity" || name == "none";
      const auto filter = make_filter(name, backend(), Communicator(), box.mesh, {0.5});
      EXPECT_EQ(filter->keeps_densities(), keeps) << name;
      EXPECT_TRUE(filter->is_linear() || !keeps) << name;
      EXPECT_EQ(same_bits(filtered(*filter), rho), keeps) << name;
      if (find_filter(name).needs_radius)
        continue;
      EXPECT_TRUE(make_filter(name, backend(), Communicator(), box.mesh, {0.})->keeps_densities())
        << name;
    }
}

TEST_P(FilterTest, EveryFilterAllowsAnEmptyMesh)
{
  const BoxMesh box = make_box(BoxOptions::regular({{0, 0, 0}}));
  for (const FilterEntry &entry : filters())
    EXPECT_TRUE(filtered(entry.name, box, 0.5, {}, {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Core, FilterTest, ::testing::ValuesIn(all_places()), place_name);

TEST(Filters, ErrorsListTheNames)
{
  const auto backend = make_cpu_backend(1);
  const BoxMesh box  = make_box(BoxOptions::regular({{1, 1, 1}}));
  try
    {
      make_filter("sensitive", *backend, Communicator(), box.mesh, {1.});
      FAIL() << "made a filter that does not exist";
    }
  catch (const Error &error)
    {
      for (const FilterEntry &entry : filters())
        EXPECT_NE(std::string(error.what()).find(entry.name), std::string::npos) << error.what();
    }
}
} // namespace
} // namespace strut::test
