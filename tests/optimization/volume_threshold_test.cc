// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/vectors.h"
#include "source/optimization/volume_threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut::test
{
namespace
{
constexpr double infinity = std::numeric_limits<double>::infinity();

double above(const std::vector<RankedVolume> &elements, const double threshold)
{
  double sum = 0.;
  for (const RankedVolume &element : elements)
    sum += element.value >= threshold ? element.volume : 0.;
  return sum;
}

// With many values over many magnitudes, the volume is met to half an element.
TEST(VolumeThreshold, VolumeIsTheNearest)
{
  std::vector<RankedVolume> elements;
  for (const double x : random_vector(5000, 3))
    elements.push_back({std::exp(40. * x), 2.});
  for (const double volume : {1.5, 77., 2000., 4999.2, 9998.4})
    EXPECT_LE(std::abs(above(elements, volume_threshold({}, elements, volume)) - volume), 1.)
      << volume;
  for (const double volume : {1.5, 77., 4999.2})
    {
      const double held =
        above(elements, volume_threshold({}, elements, volume, VolumeRounding::never_more));
      EXPECT_LE(held, volume);
      EXPECT_GT(held, volume - 2.);
    }
}

TEST(VolumeThreshold, AllOrNothing)
{
  const std::vector<RankedVolume> elements = {{3., 1.}, {-2., 1.}, {0., 1.}};
  EXPECT_EQ(volume_threshold({}, elements, 0.), infinity);
  EXPECT_EQ(volume_threshold({}, elements, 0.4), infinity);
  EXPECT_EQ(volume_threshold({}, elements, 0.6), 3.);
  EXPECT_EQ(volume_threshold({}, elements, 0.6, VolumeRounding::never_more), infinity);
  EXPECT_EQ(volume_threshold({}, elements, 2.1), 0.);
  EXPECT_EQ(volume_threshold({}, elements, 2.9), -2.);
  EXPECT_EQ(volume_threshold({}, elements, 5.), -2.);
  EXPECT_EQ(volume_threshold({}, {}, 1.), infinity);
}

// Values that differ by rounding stay together, whichever way the volume is nearer.
TEST(VolumeThreshold, MirrorImagesStayTogether)
{
  const std::vector<RankedVolume> elements = {
    {5., 1.}, {4. * (1. + 1e-13), 1.}, {4., 1.}, {4. * (1. - 1e-13), 1.}, {3., 1.}};
  EXPECT_EQ(volume_threshold({}, elements, 2.), 5.);
  EXPECT_EQ(volume_threshold({}, elements, 3.), 4. * (1. - 1e-13));
  EXPECT_EQ(volume_threshold({}, elements, 3., VolumeRounding::never_more), 5.);
  // With equal values, all or nothing is selected; a long row of values that differ by rounding is
  // split.
  EXPECT_EQ(above(std::vector<RankedVolume>(999, {1., 1.}),
                  volume_threshold({}, std::vector<RankedVolume>(999, {1., 1.}), 300.)),
            0.);
  std::vector<RankedVolume> row;
  for (int i = 0; i < 1000; ++i)
    row.push_back({1. + 1e-12 * i, 1.});
  EXPECT_NEAR(above(row, volume_threshold({}, row, 300.)), 300., 130.);
}
} // namespace
} // namespace strut::test
