// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <cstddef>
#include <limits>

namespace strut
{
/// A number for each element, for the bodies of loops. It comes from an array, which must outlive
/// this object, or is the same for all elements.
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
  /// NaN for an empty array, whose entries are never read.
  double of_all_ = std::numeric_limits<double>::quiet_NaN();
};
} // namespace strut
