// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/element_product.h"

namespace strut::cuda
{
/// Returns 1 / x without the special cases of IEEE division, which determinants of sound elements
/// do not need. It is the approximation of the hardware; for double one step of third order
/// improves it from 20 to 60 bits.
struct FastReciprocal
{
  __device__ float operator()(const float x) const
  {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
  }
  __device__ double operator()(const double x) const
  {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double error = fma(-x, r, 1.);
    return fma(r, fma(error, error, error), r);
  }
};

/// Data of the elements besides their shape.
enum class Own
{
  factor,  ///< factor of one material
  lame,    ///< Lame's parameters
  tangents ///< tangents of Gauss points, or one for the element
};

/// Values at Gauss points that the lanes of a warp keep between two walks, in registers.
template <typename Number, bool in_shared_memory>
struct WarpValues
{
  template <typename Gather>
  __device__ hexahedron::on_the_fly::PointValues<Number> of_lane(const Gather &)
  {
    return {};
  }
};

/// Values at Gauss points in shared memory: 14 KiB a warp, with which eight warps still fit.
/// Registers are too few (56 doubles are 112). Local memory, 240 KiB of a multiprocessor, would
/// leave the L1 cache. Vertices are gathered again.
template <typename Number>
struct WarpValues<Number, true>
{
  static constexpr int n       = hexahedron::on_the_fly::PointValues<Number>::n;
  static constexpr int n_lanes = 32;

  template <typename Gather>
  struct OfLane
  {
    Number *first;
    const Gather &gather;

    __device__ void set(const int q, const int k, const Number value)
    {
      first[n_lanes * (n * q + k)] = value;
    }
    __device__ Number get(const int q, const int k) const
    {
      return first[n_lanes * (n * q + k)];
    }
    __device__ void turn(const Number (&)[3][8], Number (&again)[3][8]) const
    {
      __syncwarp(); // Otherwise the compiler keeps stored values in registers.
      gather(again);
    }
  };

  template <typename Gather>
  __device__ OfLane<Gather> of_lane(const Gather &gather)
  {
    return {values + threadIdx.x % n_lanes, gather};
  }

  Number values[8 * n * n_lanes];
};

/// Elements of any shape, computed from their coordinates.
template <typename Number, Formulation formulation>
struct GeneralElements
{
  static constexpr bool has_coordinates = true;
  static constexpr Own own              = Own::factor;
  static constexpr bool is_heavy =
    hexahedron::on_the_fly::ElementProduct<formulation>::has_two_walks;

  using Values = WarpValues<Number, is_heavy && sizeof(Number) == 8>;

  hexahedron::on_the_fly::WeightedMaterial<Number> material;

  /// Compute the forces of an element.
  /// @param gather  `gather(X)` gets the vertices of the lane's element
  template <typename Gather>
  __device__ void forces(const Number factor,
                         const Gather &gather,
                         const Number (&u)[3][8],
                         Number (&f)[3][8],
                         Values &values) const
  {
    Number X[3][8];
    gather(X);
    hexahedron::on_the_fly::element_product<formulation>(
      material, factor, X, u, f, FastReciprocal(), values.of_lane(gather));
  }
};

/// Elements of any shape with Lame's parameters of their own.
template <typename Number, bool has_mean>
struct GeneralLameElements
{
  static constexpr bool has_coordinates = true;
  static constexpr Own own              = Own::lame;
  static constexpr bool is_heavy        = false;
  using Values                          = WarpValues<Number, false>;

  template <typename Gather>
  __device__ void forces(const hexahedron::on_the_fly::WeightedMaterial<Number> &material,
                         const Gather &gather,
                         const Number (&u)[3][8],
                         Number (&f)[3][8],
                         Values &) const
  {
    Number X[3][8];
    gather(X);
    hexahedron::on_the_fly::apply_stiffness<has_mean>(material, X, u, f, FastReciprocal());
  }
};

/// Copies of one element. Its matrix, in the basis of sums and differences, is an argument of the
/// kernel, which is constant memory. In that basis a translation has zero coefficients only. This
/// leaves 7 for each component: 231 numbers of a symmetric matrix.
template <typename Number>
struct IdenticalElements
{
  static constexpr bool has_coordinates = false;
  static constexpr Own own              = Own::factor;
  static constexpr bool is_heavy        = false;
  using Values                          = WarpValues<Number, false>;
  static constexpr int n                = 21; ///< coefficient k of component i is at 7 i + k - 1

  Number upper[n * (n + 1) / 2]; ///< upper triangle, row by row

  __host__ __device__ static constexpr int index(const int a, const int b)
  {
    const int low = a < b ? a : b, high = a < b ? b : a; // A recursion would not be unrolled.
    return n * low - low * (low - 1) / 2 + (high - low);
  }

  template <typename Gather>
  __device__ void forces(
    const Number factor, const Gather &, const Number (&u)[3][8], Number (&f)[3][8], Values &) const
  {
    Number h[n];
#pragma unroll
    for (int i = 0; i < 3; ++i)
      {
        Number of_component[8];
#pragma unroll
        for (int v = 0; v < 8; ++v)
          of_component[v] = u[i][v];
        hexahedron::on_the_fly::to_coefficients(of_component);
#pragma unroll
        for (int k = 1; k < 8; ++k)
          h[7 * i + k - 1] = factor * of_component[k];
      }
#pragma unroll
    for (int i = 0; i < 3; ++i)
      {
        f[i][0] = 0;
#pragma unroll
        for (int k = 1; k < 8; ++k)
          {
            Number sum = 0;
#pragma unroll
            for (int b = 0; b < n; ++b)
              sum += upper[index(7 * i + k - 1, b)] * h[b];
            f[i][k] = sum;
          }
        hexahedron::on_the_fly::to_vertices(f[i], Number(1));
      }
  }
};
} // namespace strut::cuda
