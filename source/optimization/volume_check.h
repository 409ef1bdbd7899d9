// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Whether a volume misses what was asked by more than a per cent of it.
bool misses_volume(double asked, double got);

/// Holds the volume of each analysed design against what was asked, whatever the update believes:
/// says once, while the optimization runs, and again at its end, if a design misses it by more than
/// 1e-3.
///
/// That a single step does not reach the volume is no fault: the move limit may forbid it. Five
/// designs in a row are.
class VolumeCheck
{
public:
  /// @param asked  volume fraction
  explicit VolumeCheck(const double asked) : asked_(asked)
  {}

  /// @param fraction  of the analysed design
  /// @param promised  the update that made it found that it holds the volume
  /// @return what people should hear now; empty if nothing
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
  unsigned int n_missed_ = 0; ///< designs in a row
  bool said_             = false;
};
} // namespace strut
