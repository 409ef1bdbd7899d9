// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/choose_backend.h"

#include "in_empty_directory.h"

namespace strut
{
namespace
{
class CpuQuota : public InEmptyDirectory
{
protected:
  static std::optional<double> quota()
  {
    return cpu_quota("groups", "root");
  }
};

TEST_F(CpuQuota, IsThatOfVersion2)
{
  write("groups", "0::/box/run\n");
  write("root/box/run/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuota, IsThatOfVersion1)
{
  write("groups", "5:memory:/other\n4:cpu,cpuacct:/box\n0::/\n");
  write("root/cpu,cpuacct/box/cpu.cfs_quota_us", "300000\n");
  write("root/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 3.);
}

TEST_F(CpuQuota, IsTheLeastOfTheGroupAndThoseAboveIt)
{
  write("groups", "0::/box/run\n");
  write("root/box/run/cpu.max", "400000 100000\n");
  write("root/box/cpu.max", "200000 100000\n");
  write("root/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 2.);
}

TEST_F(CpuQuota, IsFoundAtTheRootIfThePathIsThatOutsideOfAContainer)
{
  write("groups", "0::/docker/1234\n");
  write("root/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuota, IsNoneWhereNoneIsSetOrReadable)
{
  EXPECT_EQ(quota(), std::nullopt);
  write("groups", "0::/\n1:cpu:/\nnonsense\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("root/cpu.max", "max 100000\n");
  write("root/cpu/cpu.cfs_quota_us", "-1\n");
  write("root/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}
} // namespace
} // namespace strut
