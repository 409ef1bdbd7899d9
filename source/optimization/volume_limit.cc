// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/volume_limit.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Number of consecutive designs below the limit, none with more material than the one before,
/// after which the limit does not determine the volume.
constexpr int n_unlimited = 10;
} // namespace

void VolumeLimit::renew(const Volumes &material,
                        const std::optional<Volumes> &fractions_before,
                        const bool is_due,
                        const bool is_settled)
{
  const bool rises = !fractions_before || wanted_.fraction(material.dilated) >
                                            (1. + 0.1 * tolerance) * fractions_before->dilated;
  const bool is_below = material.dilated < (1. - tolerance) * constraint_.target;
  n_below_            = !rises && is_below ? std::min(n_below_ + 1, n_unlimited) : 0;
  if (!is_due && !(std::abs(material.blueprint - wanted_.target) > tolerance * wanted_.target))
    return;
  // The ratio of the volumes changes with the design, so an old limit would give a blueprint of
  // another volume. Near to solid and void the blueprint gains more than the dilated field,
  // relative to its volume. Where it alternates, or where maps have settled, half of the correction
  // damps that.
  const double ratio = material.blueprint > 0. ? wanted_.target / material.blueprint : 1.;
  const double asked = wanted_.fraction(wanted_.target);
  const bool alternates =
    fractions_before &&
    (wanted_.fraction(material.blueprint) - asked) * (fractions_before->blueprint - asked) < 0.;
  const bool is_damped = (alternates || is_settled) && !is_due;
  constraint_.target =
    std::min(material.dilated * (is_damped ? std::sqrt(ratio) : ratio), wanted_.design);
}

double VolumeLimit::missed(const double fraction, const bool fills_volume) const
{
  const double missed = fraction / wanted_.fraction(wanted_.target) - 1.;
  // A step may fall short of the limit. Many designs below it that do not rise show that they need
  // less material.
  return missed < 0. && !fills_volume && n_below_ == n_unlimited ? 0. : missed;
}

std::vector<double> VolumeLimit::state() const
{
  return {constraint_.target, static_cast<double>(n_below_)};
}

void VolumeLimit::restore(std::vector<double>::const_iterator &number)
{
  constraint_.target = *number++;
  n_below_           = static_cast<int>(*number++);
}
} // namespace strut
