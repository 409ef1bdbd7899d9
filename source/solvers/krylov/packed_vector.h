// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/packed_values.h"

#include <strut/backend/backend.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace strut
{
/// An earlier vector in half the memory of double: integer multiples of a power of two. Its error
/// is at most 2^-31 of the largest entry of this rank. Float would have an error of 2^-24 of each
/// entry: noise from node to node, which has a large energy. It is zero at first.
template <typename Number>
class PackedVector
{
public:
  PackedVector() = default;

  /// @param n  number of entries; the first ones of vectors that may be longer
  PackedVector(Memory &memory, const std::size_t n) : multiples_(memory, n)
  {}

  static double memory_estimate(const std::size_t n)
  {
    return sizeof(std::int32_t) * static_cast<double>(n);
  }

  /// @param work  overwritten, as long as x
  void set(Backend &backend, const Array<Number> &x, Array<Number> &work)
  {
    work.set_zero();
    set(backend, x, backend.vector_operations<Number>().max_difference(size(), x, work));
  }

  /// @param largest  largest absolute value of the entries
  void set(Backend &backend, const Array<Number> &x, const double largest)
  {
    unit_ = PackedValues::unit_for(largest);
    backend.vector_operations<Number>().pack(size(), unit_, x, multiples_);
  }

  /// @param values  at least as many as there are entries; the first ones are used
  void set(Memory &memory, const PackedValues &values)
  {
    if (values.multiples.size() < size())
      throw std::invalid_argument("PackedVector::set: fewer values than entries");
    unit_ = values.unit;
    if (!multiples_.empty())
      memory.copy_from_host(multiples_.data(),
                            values.multiples.data(),
                            size() * sizeof(std::int32_t));
  }

  /// Sets z = x - this on the entries of this vector.
  void subtract_from(Backend &backend, const Array<Number> &x, Array<Number> &z) const
  {
    backend.vector_operations<Number>().subtract_packed(size(), unit_, multiples_, x, z);
  }

  /// The entries are exactly multiples() of unit(): set() with the same numbers gives the same
  /// multiples.
  const Array<std::int32_t> &multiples() const
  {
    return multiples_;
  }

  double unit() const
  {
    return unit_;
  }

  std::size_t size() const
  {
    return multiples_.size();
  }

private:
  Array<std::int32_t> multiples_;
  double unit_ = 1.;
};
} // namespace strut
