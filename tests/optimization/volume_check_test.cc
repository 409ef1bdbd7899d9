// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/optimization/volume_check.h"

#include <gtest/gtest.h>

#include <cmath>

namespace strut
{
namespace
{
TEST(VolumeCheck, IsSilentWhileTheVolumeHolds)
{
  VolumeCheck check(0.3);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(check.check(0.3 + 2e-4, true), "");
  EXPECT_EQ(check.verdict(), "");
}

// Four designs that the move limit keeps away from the volume are no news; the fifth is, once.
TEST(VolumeCheck, IsPatientWithWhatTheUpdateDidNotPromise)
{
  VolumeCheck check(0.3);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(check.check(0.27, false), "");
  EXPECT_EQ(check.check(0.3, true), "");
  EXPECT_EQ(check.verdict(), "");
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(check.check(0.27, false), "");
  EXPECT_EQ(check.check(0.277, false)
              .rfind("volume fraction 0.3 asked, 0.277 got in 5 designs in a row. ", 0),
            0u);
  EXPECT_EQ(check.check(0.277, false), "");
  EXPECT_EQ(check.verdict().rfind(
              "the design misses the volume: volume fraction 0.3 asked, 0.277 got. ", 0),
            0u)
    << check.verdict();
}

// A promise that is not kept is said at once.
TEST(VolumeCheck, SaysAtOnceThatAPromiseWasNotKept)
{
  VolumeCheck check(0.35);
  EXPECT_EQ(check.check(0.518, true).rfind("volume fraction 0.35 asked, 0.518 got, though", 0), 0u);
}

// A volume that is not a number misses the target.
TEST(VolumeCheck, MissesNumbersThatAreNone)
{
  VolumeCheck check(0.3);
  check.check(std::nan(""), false);
  EXPECT_NE(check.verdict(), "");
}
} // namespace
} // namespace strut
