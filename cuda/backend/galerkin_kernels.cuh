// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/backend/galerkin_team.cuh"
#include "cuda/base/parallel_loop.cuh"
#include "source/element/lanczos.h"

namespace strut::cuda
{
constexpr int galerkin_block_size = 32; ///< small, as the sums of a block are in shared memory
/// Elements of a block.
constexpr int galerkin_elements  = galerkin_block_size / TeamMatrix::n_threads;
constexpr int product_block_size = 64;

/// The vertex of an element that a thread works on. Threads beyond the last element repeat it,
/// since a warp shuffles as a whole, and write nothing.
struct TeamThread
{
  std::size_t e;
  int v;
  bool active;

  __device__ explicit TeamThread(const std::size_t n_elements)
    : e(thread_number() / TeamMatrix::n_threads)
    , v(static_cast<int>(threadIdx.x % TeamMatrix::n_threads))
    , active(e < n_elements)
  {
    e = active ? e : n_elements - 1;
  }
};

/// A coarse level as the kernels see it.
struct LevelView
{
  std::size_t n_elements; ///< elements that have products
  std::size_t n_stored;
  const LocalIndex *__restrict__ connectivity;  ///< `[n_elements][8]`
  const std::uint8_t *__restrict__ constrained; ///< `[n_nodes]`
};

/// Data of the eight Gauss points of an element: gradients `[8][3]`, and the weight.
using GaussPoints = double[TeamMatrix::n_threads][25];

/// Computes E K0 of an element with these vertices. Thread v computes the gradients at Gauss point
/// v for all.
__device__ inline void stiffness_of(const double (&X)[3][8],
                                    const double lambda,
                                    const double mu,
                                    const double E,
                                    const int v,
                                    GaussPoints &scratch,
                                    TeamMatrix &matrix)
{
  {
    double G[3][8];
    const double dx = hexahedron::gradients(X, v, G);
    __syncwarp(); // All threads have read the data of the last element.
#pragma unroll
    for (int w = 0; w < 8; ++w)
#pragma unroll
      for (int d = 0; d < 3; ++d)
        scratch[v][3 * w + d] = G[d][w];
    scratch[v][24] = dx;
    __syncwarp();
  }
#pragma unroll
  for (int g = 0; g < 8; ++g)
#pragma unroll
    for (int k = 0; k < 9; ++k)
      matrix.K[g][k / 3][k % 3] = 0.;
#pragma unroll 1
  for (int q = 0; q < 8; ++q)
    {
      double own[3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        own[i] = scratch[q][24] * scratch[q][3 * v + i];
#pragma unroll
      for (int g = 0; g < 8; ++g)
#pragma unroll
        for (int j = 0; j < 3; ++j)
          {
            const double other = scratch[q][3 * (v ^ g) + j];
#pragma unroll
            for (int i = 0; i < 3; ++i)
              matrix.K[g][i][j] += own[i] * other;
          }
    }
#pragma unroll
  for (int g = 0; g < 8; ++g)
    hexahedron::galerkin::stiffness_block(lambda, mu, E, matrix.K[g]);
}

/// Children that are elements of the finest mesh, `K_c = Z E_c K0_c Z`.
struct ChildrenByGeometry
{
  std::size_t n_elements;
  const LocalIndex *__restrict__ lattice;       ///< `[27][n_elements]`
  const LocalIndex *__restrict__ children;      ///< `[8][n_elements]`
  const double *__restrict__ coordinates;       ///< `[n_nodes][3]`
  const std::uint8_t *__restrict__ constrained; ///< `[n_nodes]`
  const double *__restrict__ factors;
  double lambda, mu;

  using Scratch = GaussPoints;

  __device__ void get(
    const std::size_t e, const int octant, const int v, Scratch &scratch, TeamMatrix &matrix) const
  {
    using hexahedron::galerkin::lattice_place;
    double X[3][8];
#pragma unroll
    for (int w = 0; w < 8; ++w)
      {
        const std::size_t node = lattice[lattice_place(octant, w) * n_elements + e];
#pragma unroll
        for (int d = 0; d < 3; ++d)
          X[d][w] = coordinates[3 * node + d];
      }
    const double E = factors[children[octant * n_elements + e]];
    stiffness_of(X, lambda, mu, E, v, scratch, matrix);
    matrix.hold(constrained[lattice[lattice_place(octant, v) * n_elements + e]]);
  }
};

/// Children that are elements of another coarse level.
template <typename Number>
struct ChildrenByMatrices
{
  std::size_t n_elements;
  const LocalIndex *__restrict__ children; ///< `[8][n_elements]`
  SymmetricMatricesView<Number> matrices;

  using Scratch = double; ///< unused

  __device__ void
  get(const std::size_t e, const int octant, const int v, Scratch &, TeamMatrix &matrix) const
  {
    matrix.load(matrices, children[octant * n_elements + e], v);
  }
};

/// Formula:   K_e = Z (sum over children P_c^T K_c P_c) Z (GalerkinMatrices).
/// Layout:    as SymmetricMatricesView, in one piece; matrices of the children by their type.
/// Threads:   8 per element, each the rows of a vertex: 72 numbers of a child in registers,
///            restricted to the parent in place by shuffles, and 72 sums in shared memory.
/// Bytes:     per element, 300 numbers written; the children's: 27 nodes (or 2,400 numbers) and 8
///            factors.
/// Flops:     per element, in double, 28,000 for P_c^T K_c P_c; 95,000 from geometry.
/// Determinism: children in their order, every entry has one writer.
template <typename Number, typename Children>
__global__ void __launch_bounds__(galerkin_block_size)
  galerkin_kernel(const LevelView level, const Children children, Number *__restrict__ matrices)
{
  __shared__ double sums[72][galerkin_block_size];
  __shared__ typename Children::Scratch scratch[galerkin_elements];
  const TeamThread at(level.n_elements);
  TeamMatrix matrix;
#pragma unroll 1
  for (int octant = 0; octant < 8; ++octant)
    {
      children.get(at.e, octant, at.v, scratch[threadIdx.x / TeamMatrix::n_threads], matrix);
      matrix.restrict_to_parent(octant, at.v);
#pragma unroll
      for (int k = 0; k < 72; ++k)
        {
          const double value = matrix.K[k / 9][k / 3 % 3][k % 3];
          double &sum        = sums[k][threadIdx.x];
          sum                = octant == 0 ? value : sum + value;
        }
    }
#pragma unroll
  for (int k = 0; k < 72; ++k)
    matrix.K[k / 9][k / 3 % 3][k % 3] = sums[k][threadIdx.x];
  matrix.hold(level.constrained[level.connectivity[8 * at.e + at.v]]);
  if constexpr (std::is_same<Number, float>::value)
    matrix.round_to_float(at.v);
  if (at.active)
    matrix.store(matrices, level.n_stored, at.e, at.v);
}

/// Formula:   f_e = K_e P_e x.
/// Layout:    as SymmetricMatricesView; f[n_elements][8][3].
/// Threads:   8 per element, each the rows of a vertex; x of the other vertices by shuffles.
/// Bytes:     per element, 300 numbers, 8 node numbers, f; x once.
/// Flops:     per element, 1,152.
/// Determinism: every entry has one writer.
template <typename Number>
__global__ void __launch_bounds__(product_block_size)
  galerkin_product_kernel(const LevelView level,
                          const SymmetricMatricesView<Number> matrices,
                          const Number *__restrict__ x,
                          Number *__restrict__ f)
{
  const TeamThread at(level.n_elements);
  const std::size_t dof = 3 * std::size_t(level.connectivity[8 * at.e + at.v]);
  const auto rows       = matrices.load(at.e, at.v);
  const Number local[3] = {x[dof], x[dof + 1], x[dof + 2]};
  Number product[3];
  matrices.times(rows, at.v, local, product);
  if (at.active)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      f[3 * (8 * at.e + at.v) + i] = product[i];
}

/// Returns the sum over the eight threads of an element, to all of them.
__device__ inline double team_sum(double value)
{
#pragma unroll
  for (int distance = 1; distance < TeamMatrix::n_threads; distance *= 2)
    value += __shfl_xor_sync(TeamMatrix::lanes, value, distance);
  return value;
}

/// The preconditioner B_e of Lanczos' method: the block of one vertex, and the communication of its
/// thread with the others.
struct TeamPreconditioner
{
  const NodalBlock<double> &inverse;
  const int v;

  __device__ void precondition(const double (&r)[3], double (&z)[3]) const
  {
    inverse.multiply(r, z);
  }
  __device__ double sum(const double value) const
  {
    return team_sum(value);
  }
  __device__ bool writes() const
  {
    return v == 0;
  }
  __device__ static void wait()
  {
    __syncwarp();
  }
};

/// The pencil with the rows of a vertex of K_e in storage.
template <typename Number>
struct TeamPencil : TeamPreconditioner
{
  using Matrices = SymmetricMatricesView<Number>;

  const typename Matrices::Rows &rows;

  __device__ void multiply(const double (&z)[3], double (&f)[3]) const
  {
    Matrices::times(rows, v, z, f);
  }
};

/// Formula:   largest eigenvalue of B_e K_e, B_e the inverse of the nodal blocks, by the method of
///            Lanczos.
/// Layout:    as SymmetricMatricesView.
/// Threads:   8 per element, the matrix in registers, the tridiagonal one in shared memory.
/// Bytes:     per element, 300 numbers, 8 written.
/// Flops:     per element, in double, 18 steps of 1,600; Newton's method 18 divisions per step,
///            about 8 steps.
/// Determinism: sums by shuffles in a fixed order, the same bits in all threads of an element.
template <typename Number>
__global__ void __launch_bounds__(product_block_size)
  galerkin_bound_kernel(const LevelView level,
                        const SymmetricMatricesView<Number> matrices,
                        double *__restrict__ eigenvalues)
{
  __shared__ lanczos::Tridiagonal T[product_block_size / TeamMatrix::n_threads];
  const TeamThread at(level.n_elements);
  const auto rows                  = matrices.load(at.e, at.v);
  const auto &D                    = rows.diagonal;
  const NodalBlock<double> block   = {{D[0], D[3], D[4], D[1], D[5], D[2]}};
  const NodalBlock<double> inverse = block.inverse_of_free_part(lanczos::held_components(block));

  double begin[3]         = {lanczos::begin(3 * at.v),
                             lanczos::begin(3 * at.v + 1),
                             lanczos::begin(3 * at.v + 2)};
  const double eigenvalue = lanczos::largest_eigenvalue(TeamPencil<Number>{{inverse, at.v}, rows},
                                                        begin,
                                                        T[threadIdx.x / TeamMatrix::n_threads]);
  if (at.active && at.v == 0)
    eigenvalues[at.e] = eigenvalue;
}
} // namespace strut::cuda
