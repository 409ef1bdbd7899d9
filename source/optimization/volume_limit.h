// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/problem/volume_constraint.h"

#include <optional>
#include <vector>

namespace strut
{
/// The limit on the volume of Simp. For a robust design it limits the dilated field, and follows
/// the design such that the blueprint has the wanted volume.
class VolumeLimit
{
public:
  /// Makes the limit, which is the wanted volume until it is renewed.
  explicit VolumeLimit(const VolumeConstraint &wanted) : wanted_(wanted), constraint_(wanted)
  {}

  /// Largest relative deviation from the wanted volume with which a design may be the last one.
  /// Larger ones are reported as faults.
  static constexpr double tolerance = 1e-3;

  /// Volumes of the fields of a robust design.
  struct Volumes
  {
    double blueprint;
    double dilated;
  };
  /// Renews the limit if it is due or the blueprint misses the wanted volume.
  /// @param material  of the design, in the design elements
  /// @param fractions_before  volume fractions of the design before, if there is one
  /// @param is_settled  whether the maps change no more
  void renew(const Volumes &material,
             const std::optional<Volumes> &fractions_before,
             bool is_due,
             bool is_settled);

  /// Returns the constraint on the limited field.
  const VolumeConstraint &constraint() const
  {
    return constraint_;
  }
  /// Returns the relative deviation of the blueprint from the wanted volume, if the limit
  /// determines its volume. Below 0 the volume is too small.
  /// @param fraction  volume fraction of the blueprint
  /// @param fills_volume  whether the update makes designs that have all of the volume
  double missed(double fraction, bool fills_volume) const;

  /// Returns the numbers for a checkpoint.
  std::vector<double> state() const;
  /// Restores the limit.
  /// @param number  first of the numbers of state(); advanced past them
  void restore(std::vector<double>::const_iterator &number);

private:
  VolumeConstraint wanted_;
  VolumeConstraint constraint_;
  /// Consecutive designs whose dilated field has less than the limit, and not more than the design
  /// before.
  int n_below_ = 0;
};
} // namespace strut
