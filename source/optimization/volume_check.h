// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Whether a volume differs from the wanted one by more than a per cent of it.
bool misses_volume(double asked, double got);

/// Compares the volume of each analysed design with the wanted one, whatever the update promises.
/// It warns once during the optimization, and again at its end, if a design misses the volume by
/// more than 1e-3.
///
/// A single step may miss the volume, since the move limit may forbid more. Five designs in a row
/// are a fault.
class VolumeCheck
{
public:
  /// Make the check.
  /// @param asked  volume fraction
  explicit VolumeCheck(const double asked) : asked_(asked)
  {}

  /// Check one design.
  /// @param fraction  of the analysed design
  /// @param promised  the update that made it found that it holds the volume
  /// @return a message for the user; empty if there is none
  std::string check(double fraction, bool promised);

  /// Faults of the last design; empty if there are none.
  std::string verdict() const;
  bool misses_volume() const
  {
    return strut::misses_volume(asked_, last_);
  }

private:
  bool holds(double fraction) const;
  std::string asked_and_got() const;

  double asked_;
  double last_           = 0;
  unsigned int n_missed_ = 0; ///< consecutive designs that missed the volume
  bool said_             = false;
};
} // namespace strut
