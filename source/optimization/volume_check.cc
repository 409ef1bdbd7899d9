// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/optimization/volume_check.h"

#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
const std::string reasons =
  "No multiplier of the update gives that volume: check loads, solver tolerance, filter and "
  "interpolation. With self weight, or an objective that more stiffness does not lower, less volume "
  "may be the optimum.";
} // namespace

bool misses_volume(const double asked, const double got)
{
  return !(std::abs(got - asked) <= 1e-2 * asked);
}

bool VolumeCheck::holds(const double fraction) const
{
  return std::abs(fraction - asked_) <= 1e-3 * asked_;
}

std::string VolumeCheck::asked_and_got() const
{
  std::ostringstream text;
  text.precision(6);
  text << "volume fraction " << asked_ << " asked, " << last_ << " got";
  return text.str();
}

std::string VolumeCheck::check(const double fraction, const bool promised)
{
  constexpr unsigned int patience = 5;
  last_                           = fraction;
  if (holds(fraction))
    {
      n_missed_ = 0;
      return "";
    }
  ++n_missed_;
  if (said_ || (!promised && n_missed_ < patience))
    return "";
  said_ = true;
  if (promised)
    return asked_and_got() + ", though the update found the design to hold it. The volume "
                             "sensitivities of the filter do not belong to its densities.";
  return asked_and_got() + " in " + std::to_string(patience) + " designs in a row. " + reasons;
}

std::string VolumeCheck::verdict() const
{
  return n_missed_ == 0 ? "" : "the design misses the volume: " + asked_and_got() + ". " + reasons;
}
} // namespace strut
