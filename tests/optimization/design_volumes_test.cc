// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "source/backend/design_volumes.h"

namespace strut::test
{
namespace
{
using DesignVolumesTest = PlaceTest;

// Elements of a box, whose volumes differ by rounding, have one number. There is an array if
// volumes differ by more, or if one is asked for. Sums and copies are those of the array.
TEST_P(DesignVolumesTest, OneForAllOrOneEach)
{
  BoxOptions options               = BoxOptions::regular({{11, 7, 5}}, {{1., 1.3, 0.7}});
  const BoxMesh box                = make_box(options);
  options.distortion               = 0.2;
  const BoxMesh bent               = make_box(options);
  const auto &equal                = box.mesh.volumes;
  const std::size_t n              = equal.size();
  std::vector<double> one_is_other = equal;
  one_is_other[n / 2] *= 1. + 1e-9;
  ASSERT_NE(*std::min_element(equal.begin(), equal.end()),
            *std::max_element(equal.begin(), equal.end()));
  const auto x = random_vector(n, 1, 0.01, 1.);
  const Array<double> on_x(memory(), x);
  for (const bool takes_one : {true, false})
    for (const auto *const volumes :
         std::vector<const std::vector<double> *>{&equal, &one_is_other, &bent.mesh.volumes})
      {
        const bool is_one        = takes_one && volumes == &equal;
        const std::size_t before = memory().in_use();
        const DesignVolumes v(memory(), *volumes, takes_one);
        EXPECT_EQ(static_cast<double>(memory().in_use() - before),
                  DesignVolumes::memory_estimate(*volumes, takes_one));
        EXPECT_EQ(v.each().size(), is_one ? 0 : n);
        const double sum = dot(*volumes, x);
        EXPECT_NEAR(v.dot(backend(), on_x), sum, 1e-14 * sum);
        Array<double> quotient(memory(), x);
        v.divide(backend(), quotient);
        std::vector<double> expected;
        for (std::size_t e = 0; e < n; ++e)
          expected.push_back(x[e] / (*volumes)[e]);
        EXPECT_LE(relative_difference(quotient.to_host(), expected), is_one ? 1e-14 : 0.);
        Array<double> copy(memory(), poison<double>(n));
        v.copy_to(backend(), copy);
        EXPECT_LE(relative_difference(copy.to_host(), *volumes), is_one ? 1e-14 : 0.);
      }
}

// Equal numbers have that number in common, to the bit; a rank without elements has none.
TEST(DesignVolumes, Common)
{
  for (const double volume : {1., 0.1, 1. / 3., 1e-9 / 7.})
    EXPECT_EQ(DesignVolumes::common(std::vector<double>(10007, volume)).value_or(0.), volume);
  EXPECT_FALSE(DesignVolumes::common({}).has_value());
  EXPECT_FALSE(DesignVolumes::common({1., 1., 1. + 1e-9}).has_value());
  EXPECT_FALSE(DesignVolumes::common({1., std::nan("")}).has_value());
}

INSTANTIATE_TEST_SUITE_P(Core, DesignVolumesTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
