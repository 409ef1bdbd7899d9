// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/array_view.h>

#include <deal.II/lac/vector_type_traits.h>

#include <algorithm>
#include <cstddef>

namespace strut::plugin
{
/// Our array as a vector of one process, with the members that MatrixFree asks for. Ghosts are ordinary
/// entries here, since to deal.II the mesh of one rank is a whole.
template <typename Number>
class VectorView : public dealii::ArrayView<Number>
{
public:
  using dealii::ArrayView<Number>::ArrayView;

  Number &local_element(const std::size_t i) const
  {
    return (*this)[i];
  }
  Number &operator()(const std::size_t i) const
  {
    return (*this)[i];
  }
  VectorView &operator=(const Number value)
  {
    std::fill_n(this->begin(), this->size(), value);
    return *this;
  }
};
} // namespace strut::plugin

namespace dealii
{
/// There is nothing to exchange before and after a loop.
template <typename Number>
struct is_serial_vector<strut::plugin::VectorView<Number>> : std::true_type
{};
} // namespace dealii
