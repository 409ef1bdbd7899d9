// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
/// The nonzero entries of a vector, on the backend.
template <typename Number>
struct SparseVector
{
  Array<std::uint32_t> indices; ///< distinct
  Array<Number> values;
};

/// The right-hand side b of a system: a vector, or its nonzero entries if they are few. It refers
/// to the data, which must outlive it.
template <typename Number>
class RightHandSide
{
public:
  // implicit conversion: both are the same vector
  RightHandSide(const Array<Number> &all) : all_(&all)
  {}
  /// @param few  entries on owned DoFs
  RightHandSide(const SparseVector<Number> &few) : few_(&few)
  {}

  /// Sets y_i = b_i - y_i for i < n.
  void subtract(Backend &backend, const std::size_t n, Array<Number> &y) const
  {
    const auto &vectors = backend.vector_operations<Number>();
    if (all_ != nullptr)
      return vectors.xpby(n, *all_, Number(-1), y);
    vectors.axpby(n, Number(-1), y, Number(0), y);
    vectors.scatter_add(few_->indices, few_->values, y);
  }

  /// Returns the sum of b_i x_i for i < n.
  double dot(Backend &backend, const std::size_t n, const Array<Number> &x) const
  {
    const auto &vectors = backend.vector_operations<Number>();
    if (all_ != nullptr)
      return vectors.dot(n, *all_, x);
    Array<Number> of_x(backend.memory(), few_->values.size());
    vectors.gather(few_->indices, x, of_x);
    return vectors.dot(of_x.size(), few_->values, of_x);
  }

  /// Returns the sum of b_i^2 for i < n.
  double square(Backend &backend, const std::size_t n) const
  {
    const Array<Number> &values = all_ != nullptr ? *all_ : few_->values;
    return backend.vector_operations<Number>().dot(all_ != nullptr ? n : values.size(),
                                                   values,
                                                   values);
  }

private:
  const Array<Number> *all_        = nullptr;
  const SparseVector<Number> *few_ = nullptr;
};
} // namespace strut
