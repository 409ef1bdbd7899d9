// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"

#include <strut/mesh/element_mesh.h>

namespace strut::cuda
{
/// The symmetric half of element matrices, 300 numbers each, in the groups of Ratnakar (2022,
/// chapter 5).
///
/// The 8 x 8 grid of 3 x 3 blocks has 8 diagonal blocks and seven groups of four blocks. Group g =
/// 1..7 has the blocks (i, i XOR g), i the smaller. It is a perfect matching of the vertices: in
/// each group every one of eight threads has exactly one block, or its transpose.
///
///     diagonal blocks   [a d e; d b f; e f c]: a..f as `[6][n_elements][8]`
///     other blocks      [a d f; e b h; g i c]: per group a, b, c as `[3][n_elements][4]`,
///                       then the pairs (d,e), (f,g), (h,i), in which the transpose is a swap,
///                       as `[3][n_elements][4][2]`
namespace symmetric_matrices
{
constexpr int n_diagonal     = 48;  ///< numbers of an element in the diagonal blocks
constexpr int n_group        = 36;  ///< numbers of an element in the blocks of a group
constexpr int n_groups       = 7;   ///< 7 * 36 = 252
constexpr int n_numbers      = 300; ///< numbers of an element
constexpr int first_of_pairs = 12;  ///< numbers before the pairs of a group

/// Returns the number of the highest bit of a group.
__host__ __device__ constexpr int highest_bit(const int group)
{
  return group >= 4 ? 2 : group >= 2 ? 1 : 0;
}

/// Whether vertex v is the larger one of its block in the group.
__host__ __device__ constexpr bool is_larger(const int v, const int group)
{
  return (v >> highest_bit(group)) & 1;
}

/// Returns the index of the block of vertex v among the four of the group: its smaller vertex
/// without the highest bit in which the two differ.
__host__ __device__ constexpr int block_of(const int v, const int group)
{
  const int bit     = highest_bit(group);
  const int smaller = is_larger(v, group) ? v ^ group : v;
  return (smaller & ((1 << bit) - 1)) | ((smaller >> (bit + 1)) << bit);
}

/// Two numbers that are loaded together.
template <typename Number>
struct PairOf;
template <>
struct PairOf<double>
{
  using type = double2;
};
template <>
struct PairOf<float>
{
  using type = float2;
};
} // namespace symmetric_matrices

/// Symmetric element matrices as a kernel reads them, passed by value.
template <typename Number>
struct SymmetricMatricesView
{
  using Pair = typename symmetric_matrices::PairOf<Number>::type;

  const Number *__restrict__ diagonal;     ///< `[6][n_elements][8]`
  const Number *__restrict__ off_diagonal; ///< `[7]` groups
  std::size_t n_elements;

  /// A block off the diagonal in its stored order.
  struct Block
  {
    Number a, b, c;
    Pair de, fg, hi;
  };

  /// The entries of K0_e for vertex v. They are loaded together, since many loads must be in
  /// flight.
  struct Rows
  {
    Number diagonal[6];
    Block blocks[symmetric_matrices::n_groups];
  };

  /// Load the entries. The matrices are read past the caches (each number once), which leaves those
  /// to the vectors.
  __device__ Rows load(const std::size_t e, const int v) const
  {
    Rows rows;
    const Number *const D = diagonal + (8 * e + v);
#pragma unroll
    for (int k = 0; k < 6; ++k)
      rows.diagonal[k] = __ldcs(D + 8 * n_elements * k);
#pragma unroll
    for (int group = 1; group <= symmetric_matrices::n_groups; ++group)
      rows.blocks[group - 1] = load_block(group, e, v);
    return rows;
  }

  /// Compute three rows of K0_e: y = those of vertex v times the vector whose values at vertex v
  /// are x. All threads of a warp call it, eight neighbours for an element.
  template <typename Local>
  __device__ static void times(const Rows &rows, const int v, const Local (&x)[3], Local (&y)[3])
  {
    const Local a = rows.diagonal[0], b = rows.diagonal[1], c = rows.diagonal[2];
    const Local d = rows.diagonal[3], g = rows.diagonal[4], f = rows.diagonal[5];
    y[0] = a * x[0] + d * x[1] + g * x[2];
    y[1] = d * x[0] + b * x[1] + f * x[2];
    y[2] = g * x[0] + f * x[1] + c * x[2];
#pragma unroll
    for (int group = 1; group <= symmetric_matrices::n_groups; ++group)
      add_block(group, v, rows.blocks[group - 1], x, y);
  }

private:
  __device__ Block load_block(const int group, const std::size_t e, const int v) const
  {
    namespace sm              = symmetric_matrices;
    const std::size_t block   = 4 * e + sm::block_of(v, group);
    const std::size_t stride  = 4 * n_elements;
    const Number *const begin = off_diagonal + sm::n_group * n_elements * (group - 1);
    const Number *const B     = begin + block;
    const Pair *const P =
      reinterpret_cast<const Pair *>(begin + sm::first_of_pairs * n_elements) + block;
    return {__ldcs(B),
            __ldcs(B + stride),
            __ldcs(B + 2 * stride),
            __ldcs(P),
            __ldcs(P + stride),
            __ldcs(P + 2 * stride)};
  }

  template <typename Local>
  __device__ static void
  add_block(const int group, const int v, const Block &block, const Local (&x)[3], Local (&y)[3])
  {
    const Local a = block.a, b = block.b, c = block.c;
    const bool transposed = symmetric_matrices::is_larger(v, group);
    const Local K01       = transposed ? block.de.y : block.de.x;
    const Local K10       = transposed ? block.de.x : block.de.y;
    const Local K02       = transposed ? block.fg.y : block.fg.x;
    const Local K20       = transposed ? block.fg.x : block.fg.y;
    const Local K12       = transposed ? block.hi.y : block.hi.x;
    const Local K21       = transposed ? block.hi.x : block.hi.y;

    Local other[3]; // The values at vertex v XOR group, from the thread of that vertex.
#pragma unroll
    for (int i = 0; i < 3; ++i)
      other[i] = __shfl_xor_sync(0xffffffffu, x[i], group);
    y[0] += a * other[0] + K01 * other[1] + K02 * other[2];
    y[1] += K10 * other[0] + b * other[1] + K12 * other[2];
    y[2] += K20 * other[0] + K21 * other[1] + c * other[2];
  }
};
} // namespace strut::cuda
