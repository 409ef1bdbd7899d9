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

/// Rounding of the volume above a threshold relative to the wanted volume.
enum class VolumeRounding
{
  nearest,
  never_more
};

/// Returns the threshold such that the elements at or above it hold a volume, over all ranks. It is
/// infinite if there are no elements.
///
/// Elements whose values differ by rounding alone, as those of mirror images do, are on the same
/// side of the threshold. The volume comes as near as that allows. Where many consecutive values
/// are so near, they are divided at the widest gap. Collective; the result is the same on every
/// rank.
/// @param elements  of this rank
double volume_threshold(const Communicator &communicator,
                        std::vector<RankedVolume> elements,
                        double volume,
                        VolumeRounding rounding = VolumeRounding::nearest);
} // namespace strut
