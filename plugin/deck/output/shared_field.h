// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace strut
{
/// A field from which several files are written at different times. It is in memory once, until the
/// last file is written.
template <typename Number>
class SharedVector
{
public:
  SharedVector(std::vector<Number> values) // implicit: it represents the same values
    : values_(std::make_shared<const std::vector<Number>>(std::move(values)))
  {}

  const std::vector<Number> &operator*() const
  {
    return *values_;
  }
  const std::vector<Number> *operator->() const
  {
    return values_.get();
  }

private:
  std::shared_ptr<const std::vector<Number>> values_;
};

using SharedField = SharedVector<double>;
} // namespace strut
