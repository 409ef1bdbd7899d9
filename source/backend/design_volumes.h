// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>

#include <strut/backend/backend.h>

#include <optional>
#include <vector>

namespace strut
{
/// The volumes of the elements of this rank on the backend. It is one number if all are equal, as
/// on a box, else an array.
class DesignVolumes
{
public:
  /// @param volumes  `[n_elements]`
  /// @param takes_one  false: always store an array
  DesignVolumes(Memory &memory, const std::vector<double> &volumes, bool takes_one = true);

  /// Bytes that it keeps.
  static double memory_estimate(const std::vector<double> &volumes, bool takes_one = true);

  /// Relative tolerance of equal volumes, which is also that of equal boxes.
  static constexpr double tolerance = 1e-10;

  /// The mean of volumes that are equal up to the tolerance. Returns nothing if they are not, or if
  /// there are none.
  static std::optional<double> common(const std::vector<double> &volumes);

  /// The volumes of the single elements, `[n_elements]`; empty where one number replaces them.
  const Array<double> &each() const
  {
    return each_;
  }

  ElementNumbers numbers() const
  {
    return common_ ? ElementNumbers(*common_) : ElementNumbers(each_);
  }

  /// Returns sum_e v_e x_e over this rank.
  double dot(Backend &backend, const Array<double> &x) const;

  /// Divides x_e by v_e.
  void divide(Backend &backend, Array<double> &x) const;

  /// Sets x_e = v_e.
  void copy_to(Backend &backend, Array<double> &x) const;

private:
  std::optional<double> common_;
  Array<double> each_;
};
} // namespace strut
