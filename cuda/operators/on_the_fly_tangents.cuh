// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/on_the_fly_elements.cuh"
#include "source/element/tangent_product.h"

#include <strut/backend/stiffness.h>

#include <cstddef>

namespace strut::cuda
{
/// Number of elements whose numbers are adjacent. One component of their tangents is one access of
/// a warp, or two where its patch begins in between.
constexpr unsigned int tangent_block = 32;

/// The tangents of elements as a kernel sees them, passed by value: `[n_blocks][n_points][21][32]`.
template <typename Number>
struct TangentView
{
  const Number *__restrict__ values;
  unsigned int n_points;

  __device__ std::size_t of_block() const
  {
    return std::size_t(tangent_block * n_tangent_components) * n_points;
  }

  /// Prefetch the numbers of a point of a block into the L2 cache, a row by each of 21 lanes. The
  /// warp reads them soon, and has no registers in which to wait for them.
  __device__ void prefetch(const std::size_t element, const int q, const unsigned int lane) const
  {
    if (lane >= n_tangent_components)
      return;
    const Number *const row = values + element / tangent_block * of_block() +
                              tangent_block * (n_tangent_components * q + lane);
#pragma unroll
    for (unsigned int first = 0; first < tangent_block; first += 128 / sizeof(Number))
      asm volatile("prefetch.global.L2 [%0];" : : "l"(row + first));
  }
};

/// The tangents of the element of a lane: `tangents(q, k)`.
template <typename Number>
struct LaneTangents
{
  TangentView<Number> view;
  std::size_t element;

  __device__ Number operator()(const int q, const int k) const
  {
    const bool by_points = view.n_points > 1;
    if (k == 0 && by_points && q < 7)
      view.prefetch(element, q + 1, threadIdx.x % tangent_block);
    const Number *const of_lane =
      view.values + element / tangent_block * view.of_block() + element % tangent_block;
    const int point = by_points ? q : 0;
    return __ldg(of_lane + tangent_block * (static_cast<int>(n_tangent_components) * point + k));
  }
};

/// Elements of any shape with tangents.
template <typename Number>
struct GeneralTangentElements
{
  static constexpr bool has_coordinates = true;
  static constexpr Own own              = Own::tangents;
  static constexpr bool is_heavy        = true;
  using Values                          = WarpValues<Number, false>;

  template <typename Gather>
  __device__ void forces(const LaneTangents<Number> &tangents,
                         const Gather &gather,
                         const Number (&u)[3][8],
                         Number (&f)[3][8],
                         Values &) const
  {
    Number X[3][8];
    gather(X);
    hexahedron::on_the_fly::apply_tangents(tangents, X, u, f, FastReciprocal());
  }
};

/// The tangents of the elements of an operator, in its order. Empty until set() is called.
template <typename Number>
class BlockedTangents
{
public:
  /// Copy tangents to the device.
  /// @param numbers  of the elements in the mesh, `[n_elements]`; empty if they are in its order
  void set(const Context &context,
           Memory &memory,
           const Array<LocalIndex> &numbers,
           const std::size_t n_elements,
           const Stiffness &tangents)
  {
    const unsigned int n_points = tangents.layout().n_points;
    if (n_points != n_points_)
      {
        n_points_                  = 0; // There are no tangents if the allocation fails.
        const std::size_t n_blocks = (n_elements + tangent_block - 1) / tangent_block;
        values_                    = Array<Number>(); // The old memory is freed first.
        values_ = Array<Number>(memory, n_blocks * tangent_block * n_tangent_components * n_points);
        n_points_ = n_points;
      }
    Array<double> field(memory, n_elements);
    const LocalIndex *const of_element = numbers.data();
    Number *const out                  = values_.data();
    const std::size_t of_block         = tangent_block * n_tangent_components * n_points;
    for (unsigned int q = 0; q < n_points; ++q)
      for (unsigned int k = 0; k < n_tangent_components; ++k)
        {
          const double *const in = tangents.component(q, k, field).data();
          const std::size_t row  = tangent_block * (n_tangent_components * q + k);
          parallel_for(context, n_elements, [=] __device__(const std::size_t e) {
            out[e / tangent_block * of_block + row + e % tangent_block] =
              static_cast<Number>(in[of_element == nullptr ? e : of_element[e]]);
          });
        }
  }

  /// Compute means as ElementOperator does.
  void mean(const Context &context,
            const Array<LocalIndex> &numbers,
            const std::size_t n_elements,
            const unsigned int component,
            const unsigned int first_point,
            const unsigned int n_points,
            Array<double> &values) const
  {
    const Number *const in             = values_.data();
    const LocalIndex *const of_element = numbers.data();
    double *const out                  = values.data();
    const std::size_t of_block         = tangent_block * n_tangent_components * n_points_;
    const std::size_t of_point         = tangent_block * n_tangent_components;
    const std::size_t row = of_point * first_point + std::size_t(tangent_block) * component;
    parallel_for(context, n_elements, [=] __device__(const std::size_t e) {
      const Number *const of_lane = in + e / tangent_block * of_block + row + e % tangent_block;
      double sum                  = 0.;
      for (unsigned int q = 0; q < n_points; ++q)
        sum += static_cast<double>(of_lane[of_point * q]);
      out[of_element == nullptr ? e : of_element[e]] = sum / n_points;
    });
  }

  bool empty() const
  {
    return n_points_ == 0;
  }

  TangentView<Number> view() const
  {
    return {values_.data(), n_points_};
  }

  double bytes() const
  {
    return static_cast<double>(values_.size() * sizeof(Number));
  }

private:
  unsigned int n_points_ = 0;
  Array<Number> values_;
};
} // namespace strut::cuda
