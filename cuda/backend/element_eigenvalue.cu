// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/galerkin_kernels.cuh"

namespace strut::cuda
{
namespace
{
/// The pencil with the rows of a vertex of K0_e in registers.
struct MatrixPencil : TeamPreconditioner
{
  const TeamMatrix &matrix;

  __device__ void multiply(const double (&z)[3], double (&f)[3]) const
  {
    f[0] = f[1] = f[2] = 0.;
#pragma unroll
    for (int g = 0; g < 8; ++g)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        {
          const double other = __shfl_xor_sync(TeamMatrix::lanes, z[j], g);
#pragma unroll
          for (int i = 0; i < 3; ++i)
            f[i] += matrix.K[g][i][j] * other;
        }
  }
};

/// Eliminates the incompatible modes from K0_e: K -= K_ua K_aa^-1 K_au. Each thread has the rows of
/// its vertex.
///
/// @param points  data of the element from stiffness_of()
__device__ void subtract_modes(const double (&X)[3][8],
                               const double lambda,
                               const double mu,
                               const int v,
                               const GaussPoints &points,
                               TeamMatrix &matrix)
{
  using namespace hexahedron::incompatible_modes;
  ModeFactors<double> modes = {lambda, mu, {}, {}};
  PairSums<double> M        = {};
  double h[3][3]            = {};
  const double centre       = centre_gradients(X, modes.G);
  for (int q = 0; q < 8; ++q)
    {
      M.add(q, centre * centre / points[q][24]);
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int c = 0; c < 3; ++c)
          h[i][c] += sign(i, q) * centre * points[q][3 * v + c];
    }
  modes.factor_stiffness(M);

  double columns[3][n];
#pragma unroll
  for (int i = 0; i < 3; ++i)
    modes.reduced_column(h, i, columns[i]);
#pragma unroll
  for (int g = 0; g < 8; ++g)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      {
        double other[n];
#pragma unroll
        for (int m = 0; m < n; ++m)
          other[m] = __shfl_xor_sync(TeamMatrix::lanes, columns[j][m], g);
#pragma unroll
        for (int i = 0; i < 3; ++i)
          matrix.K[g][i][j] -= modes.entry(columns[i], other);
      }
}

/// Formula:   largest eigenvalue of B_e K0_e, B_e the inverse of the nodal blocks, by the method of
///            Lanczos.
/// Layout:    coordinates[3][n_nodes], connectivity[8][n_elements].
/// Threads:   8 per element, each the rows of a vertex, 72 numbers in registers.
/// Bytes:     per element, 8 node numbers, 8 written; nodes from the caches.
/// Flops:     per element, in double, 10,000 for K0_e, 29,000 for 18 steps, Newton's method; with
///            incompatible modes 26,000 more, of which the factors of K_aa in each thread are half.
/// Determinism: sums by shuffles in a fixed order, the same bits in all threads of an element.
template <bool has_modes>
__global__ void __launch_bounds__(galerkin_block_size)
  element_eigenvalue_kernel(const double *__restrict__ coordinates,
                            const LocalIndex *__restrict__ connectivity,
                            const std::size_t n_nodes,
                            const std::size_t n_elements,
                            const double lambda,
                            const double mu,
                            double *__restrict__ eigenvalues)
{
  __shared__ lanczos::Tridiagonal T[galerkin_elements];
  __shared__ GaussPoints points[galerkin_elements];
  const TeamThread at(n_elements);
  const int team = static_cast<int>(threadIdx.x) / TeamMatrix::n_threads;
  TeamMatrix matrix;
  {
    double X[3][8];
    const LocalIndex origin = connectivity[at.e];
#pragma unroll
    for (int w = 0; w < 8; ++w)
      {
        const std::size_t node = connectivity[w * n_elements + at.e];
#pragma unroll
        for (int d = 0; d < 3; ++d)
          X[d][w] = coordinates[d * n_nodes + node] - coordinates[d * n_nodes + origin];
      }
    stiffness_of(X, lambda, mu, 1., at.v, points[team], matrix);
    if constexpr (has_modes)
      subtract_modes(X, lambda, mu, at.v, points[team], matrix);
  }
  const auto &D                    = matrix.K[0];
  const NodalBlock<double> block   = {{D[0][0], D[0][1], D[0][2], D[1][1], D[1][2], D[2][2]}};
  const NodalBlock<double> inverse = block.inverse_of_free_part(lanczos::held_components(block));

  double begin[3] = {lanczos::begin(3 * at.v),
                     lanczos::begin(3 * at.v + 1),
                     lanczos::begin(3 * at.v + 2)};
  const double eigenvalue =
    lanczos::largest_eigenvalue(MatrixPencil{{inverse, at.v}, matrix}, begin, T[team]);
  if (at.active && at.v == 0)
    eigenvalues[at.e] = eigenvalue;
}
} // namespace

std::optional<double> largest_element_eigenvalue(const Context &context,
                                                 Memory &memory,
                                                 const ElementMesh &mesh,
                                                 const Material &material)
{
  static constexpr decltype(&element_eigenvalue_kernel<false>) kernels[] = {
    element_eigenvalue_kernel<false>, nullptr, element_eigenvalue_kernel<true>};
  const auto kernel = kernels[static_cast<int>(material.formulation)];
  if (kernel == nullptr) // There is none for the mean dilatation.
    return {};
  if (mesh.n_elements == 0)
    return 0.;
  const Array<double> coordinates(memory, mesh.coordinates);
  const Array<LocalIndex> connectivity(memory, mesh.connectivity);
  Array<double> eigenvalues(memory, mesh.n_elements);
  kernel<<<n_blocks(mesh.n_elements * TeamMatrix::n_threads, galerkin_block_size),
           galerkin_block_size,
           0,
           context.activate()>>>(coordinates.data(),
                                 connectivity.data(),
                                 mesh.n_nodes,
                                 mesh.n_elements,
                                 material.lambda(),
                                 material.mu(),
                                 eigenvalues.data());
  STRUT_CUDA_CHECK_LAUNCH("element_eigenvalue_kernel");
  const double *const values = eigenvalues.data();
  return parallel_reduce(context, mesh.n_elements, Maximum(), [=] __device__(const std::size_t e) {
    return values[e];
  });
}
} // namespace strut::cuda
