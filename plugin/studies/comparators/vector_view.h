// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/lac/vector_type_traits.h>

#include <algorithm>
#include <cstddef>

namespace strut::plugin
{
/// Our array as a vector of one process: these members are all that MatrixFree asks for. Ghosts are
/// ordinary entries here, since to deal.II the mesh of one rank is a whole.
template <typename Number>
class VectorView
{
public:
  using value_type = Number;

  VectorView(Number *data, const std::size_t size) : data_(data), size_(size)
  {}

  std::size_t size() const
  {
    return size_;
  }
  Number *begin()
  {
    return data_;
  }
  const Number *begin() const
  {
    return data_;
  }
  Number &local_element(const std::size_t i)
  {
    return data_[i];
  }
  Number local_element(const std::size_t i) const
  {
    return data_[i];
  }
  VectorView &operator=(const Number value)
  {
    std::fill_n(data_, size_, value);
    return *this;
  }
  Number &operator()(const std::size_t i)
  {
    return data_[i];
  }
  Number operator()(const std::size_t i) const
  {
    return data_[i];
  }

private:
  Number *data_;
  std::size_t size_;
};
} // namespace strut::plugin

namespace dealii
{
/// There is nothing to exchange before and after a loop.
template <typename Number>
struct is_serial_vector<strut::plugin::VectorView<Number>> : std::true_type
{};
} // namespace dealii
