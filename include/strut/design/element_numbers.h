// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <cstddef>
#include <limits>

namespace strut
{
/// A number of each element for the bodies of loops: from an array, which outlives this, or one for all of them.
class ElementNumbers
{
public:
  /// @param each  `[n_elements]`
  ElementNumbers(const Array<double> &each) : each_(each.data())
  {}

  explicit ElementNumbers(const double of_all) : of_all_(of_all)
  {}

  STRUT_HOST_DEVICE double operator[](const std::size_t e) const
  {
    return each_ == nullptr ? of_all_ : each_[e];
  }

private:
  const double *each_ = nullptr;
  double of_all_ = std::numeric_limits<double>::quiet_NaN(); ///< of an empty array nobody reads it
};
} // namespace strut
