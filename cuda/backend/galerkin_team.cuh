// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/element/symmetric_matrices.cuh"
#include "source/element/galerkin.h"

#include <strut/mesh/element_mesh.h>

namespace strut::cuda
{
/// An element matrix in the registers of eight neighbours of a warp, one per vertex. Thread v has
/// the rows of vertex v, and its block g is that of the vertices v and v XOR g. So no register has
/// a run-time index: the thread across in direction d has the same columns in the blocks g XOR 2^d.
struct TeamMatrix
{
  static constexpr int n_threads      = 8;
  static constexpr unsigned int lanes = 0xffffffffu; ///< all threads of a warp take part

  double K[8][3][3];

  /// Compute K = P^T K P for the child at this octant (hexahedron::galerkin).
  __device__ void restrict_to_parent(const int octant, const int v)
  {
    using hexahedron::galerkin::restricted;
#pragma unroll
    for (int d = 0; d < 3; ++d)
      {
        const int bit        = 1 << d;
        const bool at_octant = ((v ^ octant) >> d & 1) == 0;
#pragma unroll
        for (int g = 0; g < 8; ++g)
          if ((g & bit) == 0)
#pragma unroll
            for (int k = 0; k < 9; ++k)
              {
                double &near = K[g][k / 3][k % 3], &far = K[g | bit][k / 3][k % 3];
                // Columns: that of vertex v XOR g is at the same end as v.
                const double at_near = restricted(near, far, at_octant);
                const double at_far  = restricted(far, near, !at_octant);
                // Rows.
                const double across_near = __shfl_xor_sync(lanes, at_far, bit);
                const double across_far  = __shfl_xor_sync(lanes, at_near, bit);
                near                     = restricted(at_near, across_near, at_octant);
                far                      = restricted(at_far, across_far, at_octant);
              }
      }
  }

  /// Set the rows and columns of held components to zero.
  /// @param held  components of vertex v, as bits
  __device__ void hold(const unsigned int held)
  {
#pragma unroll
    for (int g = 0; g < 8; ++g)
      {
        const unsigned int other = __shfl_xor_sync(lanes, held, g);
#pragma unroll
        for (int k = 0; k < 9; ++k)
          if ((held >> k / 3 & 1) != 0 || (other >> k % 3 & 1) != 0)
            K[g][k / 3][k % 3] = 0.;
      }
  }

  /// Round like cpu::round_to_float(): off the diagonal on a grid, on the diagonal so that row sums
  /// stay the same.
  __device__ void round_to_float(const int v)
  {
    double largest = fmax(K[0][0][0], fmax(K[0][1][1], K[0][2][2]));
#pragma unroll
    for (int distance = 1; distance < n_threads; distance *= 2)
      largest = fmax(largest, __shfl_xor_sync(lanes, largest, distance));
    const double step = hexahedron::galerkin::grid_step(largest);

    double error[3][3] = {};
#pragma unroll
    for (int g = 1; g < 8; ++g)
      {
        const bool is_larger = symmetric_matrices::is_larger(v, g);
        double rounded[3][3];
#pragma unroll
        for (int k = 0; k < 9; ++k)
          rounded[k / 3][k % 3] = step * rint(K[g][k / 3][k % 3] / step);
#pragma unroll
        for (int k = 0; k < 9; ++k)
          {
            // Both threads of a block take the value of the thread of the smaller vertex.
            const double theirs = __shfl_xor_sync(lanes, rounded[k % 3][k / 3], g);
            const double value  = is_larger ? theirs : rounded[k / 3][k % 3];
            error[k / 3][k % 3] += value - K[g][k / 3][k % 3];
            K[g][k / 3][k % 3] = value;
          }
      }
    double block[3][3];
#pragma unroll
    for (int k = 0; k < 9; ++k)
      block[k / 3][k % 3] = step * rint((K[0][k / 3][k % 3] - error[k / 3][k % 3]) / step);
#pragma unroll
    for (int k = 0; k < 9; ++k)
      K[0][k / 3][k % 3] = 0.5 * (block[k / 3][k % 3] + block[k % 3][k / 3]);
  }

  /// Load the rows of a vertex from storage.
  /// @param e  element
  template <typename Number>
  __device__ void
  load(const SymmetricMatricesView<Number> &matrices, const std::size_t e, const int v)
  {
    const auto rows    = matrices.load(e, v);
    const auto &D      = rows.diagonal;
    const double of[9] = {D[0], D[3], D[4], D[3], D[1], D[5], D[4], D[5], D[2]};
#pragma unroll
    for (int k = 0; k < 9; ++k)
      K[0][k / 3][k % 3] = of[k];
#pragma unroll
    for (int g = 1; g < 8; ++g)
      {
        const auto &B         = rows.blocks[g - 1];
        const bool transposed = symmetric_matrices::is_larger(v, g);
        K[g][0][0]            = B.a;
        K[g][1][1]            = B.b;
        K[g][2][2]            = B.c;
        K[g][0][1]            = transposed ? B.de.y : B.de.x;
        K[g][1][0]            = transposed ? B.de.x : B.de.y;
        K[g][0][2]            = transposed ? B.fg.y : B.fg.x;
        K[g][2][0]            = transposed ? B.fg.x : B.fg.y;
        K[g][1][2]            = transposed ? B.hi.y : B.hi.x;
        K[g][2][1]            = transposed ? B.hi.x : B.hi.y;
      }
  }

  /// Store the diagonal block, and the blocks in which v is the smaller vertex.
  template <typename Number>
  __device__ void
  store(Number *const matrices, const std::size_t n, const std::size_t e, const int v) const
  {
#pragma unroll
    for (int g = 0; g < 8; ++g)
      if (g == 0 || !symmetric_matrices::is_larger(v, g))
#pragma unroll
        for (int k = 0; k < 9; ++k)
          if (g != 0 || k / 3 <= k % 3)
            matrices[place(n, e, 3 * v + k / 3, 3 * (v ^ g) + k % 3)] =
              static_cast<Number>(K[g][k / 3][k % 3]);
  }

  /// Returns the place of entry (i, j), i <= j, of element e of n elements: diagonal blocks first,
  /// then the groups.
  __device__ static std::size_t
  place(const std::size_t n, const std::size_t e, const int i, const int j)
  {
    namespace sm = symmetric_matrices;
    const int a = i / 3, b = j / 3, ii = i % 3, jj = j % 3;
    const int pair = ii + jj - 1; // Number of (0,1), (0,2), (1,2): 0, 1, 2.
    if (a == b)
      return 8 * ((ii == jj ? ii : 3 + pair) * n + e) + a;
    const std::size_t begin = (sm::n_diagonal + sm::n_group * ((a ^ b) - 1)) * n;
    const int block         = sm::block_of(a, a ^ b);
    if (ii == jj)
      return begin + 4 * (ii * n + e) + block;
    return begin + sm::first_of_pairs * n + 2 * (4 * (pair * n + e) + block) + (ii < jj ? 0 : 1);
  }
};
} // namespace strut::cuda
