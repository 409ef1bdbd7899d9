// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// A field that several files are written from, each in its time: in memory once, until the last is written.
class SharedField
{
public:
  SharedField(std::vector<double> values) // implicit: it is the same thing
    : values_(std::make_shared<const std::vector<double>>(std::move(values)))
  {}

  const std::vector<double> &operator*() const
  {
    return *values_;
  }
  const std::vector<double> *operator->() const
  {
    return values_.get();
  }

private:
  std::shared_ptr<const std::vector<double>> values_;
};
} // namespace strut::plugin
