// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>

#include <cstddef>

namespace strut::cpu
{
/// The tangents of elements in packs, one element per SIMD lane:
/// `[n_packs][n_points][21][n_lanes]`. Empty until set().
template <typename Number, std::size_t n_lanes>
class PackedTangents
{
public:
  /// @param for_each_pack  `for_each_pack(body)` calls body(pack, element), where element(lane) is
  ///   the number of an element in the mesh; lanes without an element repeat another one
  template <typename ForEachPack>
  void set(Memory &memory,
           const std::size_t n_elements,
           const std::size_t n_packs,
           const Stiffness &tangents,
           const ForEachPack &for_each_pack)
  {
    const unsigned int n_points = tangents.layout().n_points;
    if (n_points != n_points_)
      {
        n_points_ = 0;               // stays 0 if the allocation fails
        values_   = Array<Number>(); // free the old memory first
        values_   = Array<Number>(memory, n_packs * n_lanes * n_tangent_components * n_points);
        n_points_ = n_points;
      }
    Array<double> field(memory, n_elements);
    for (unsigned int q = 0; q < n_points; ++q)
      for (unsigned int k = 0; k < n_tangent_components; ++k)
        {
          const double *const in = tangents.component(q, k, field).data();
          for_each_pack([&](const std::size_t pack, const auto &element) {
            Number *const out = values_.data() + place(pack, q, k);
            for (std::size_t lane = 0; lane < n_lanes; ++lane)
              out[lane] = static_cast<Number>(in[element(lane)]);
          });
        }
  }

  /// Component k of the tangents at point q, `[n_lanes]`.
  const Number *get(const std::size_t pack, const int q, const int k) const
  {
    return values_.data() + place(pack, n_points_ == 1 ? 0u : static_cast<unsigned int>(q), k);
  }

  /// The mean of component k over n_points points from first_point on.
  double mean(const std::size_t pack,
              const std::size_t lane,
              const unsigned int k,
              const unsigned int first_point,
              const unsigned int n_points) const
  {
    double sum = 0.;
    for (unsigned int q = first_point; q < first_point + n_points; ++q)
      sum += static_cast<double>(values_.data()[place(pack, q, k) + lane]);
    return sum / n_points;
  }

  double bytes() const
  {
    return static_cast<double>(values_.size() * sizeof(Number));
  }

private:
  std::size_t place(const std::size_t pack, const unsigned int q, const std::size_t k) const
  {
    return n_lanes * (n_tangent_components * (n_points_ * pack + q) + k);
  }

  unsigned int n_points_ = 0;
  Array<Number> values_;
};
} // namespace strut::cpu
