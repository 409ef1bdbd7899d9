// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <vector>

namespace strut
{
/// The number that ranks an element, and its volume.
struct RankedVolume
{
  double value  = 0.;
  double volume = 0.;
};

/// How near the volume above a threshold shall come to the wanted one.
enum class VolumeRounding
{
  nearest,
  never_more
};

/// The threshold above which elements hold a volume, over all ranks: of those at or above it.
/// Infinite if there are none.
///
/// Elements whose values differ by rounding alone, as those of mirror images do, are on the same
/// side of it; the volume comes as near as that allows. Where many values in a row are so near,
/// they are parted at the widest gap. Collective; the same number on every rank.
/// @param elements  of this rank
double volume_threshold(const Communicator &communicator,
                        std::vector<RankedVolume> elements,
                        double volume,
                        VolumeRounding rounding = VolumeRounding::nearest);
} // namespace strut
