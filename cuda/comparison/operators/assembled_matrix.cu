// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/diagonal_blocks.cuh"
#include "cuda/comparison/operators/assembled_matrix.cuh"
#include "source/element/hexahedron.h"
#include "source/operators/stiffness_rows.h"

namespace strut::cuda
{
namespace
{
constexpr int energy_block_size = 128;

/// Formula:   c_e = u_e^T K0_e u_e = sum_q dx (lambda tr(eps)^2 + 2 mu eps : eps), eps the strain
///            of u.
/// Layout:    coordinates[3][n_nodes], connectivity[8][n_elements].
/// Threads:   one per element.
/// Bytes:     per element, 8 node numbers, 24 coordinates and 24 of u (from the caches, each node
///            serves eight elements), 8 bytes written.
/// Flops:     per element, about 4,000 in double, for any Number.
/// Determinism: one thread sums point by point.
template <typename Number>
__global__ void __launch_bounds__(energy_block_size)
  strain_energy_kernel(const std::size_t n_elements,
                       const std::size_t n_nodes,
                       const double *__restrict__ coordinates,
                       const LocalIndex *__restrict__ connectivity,
                       const double lambda,
                       const double mu,
                       const Number *__restrict__ u,
                       double *__restrict__ c)
{
  const std::size_t e = thread_number();
  if (e >= n_elements)
    return;
  double X[3][8], U[3][8];
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t node = connectivity[v * n_elements + e];
      for (int d = 0; d < 3; ++d)
        {
          X[d][v] = coordinates[d * n_nodes + node];
          U[d][v] = static_cast<double>(u[3 * node + d]);
        }
    }
  double energy = 0;
#pragma unroll 1
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8], H[3][3] = {}; // H[i][j] = d_j u_i.
      const double dx = hexahedron::gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            H[i][j] += U[i][v] * G[j][v];
      const double trace = H[0][0] + H[1][1] + H[2][2];
      double squares     = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          squares += H[i][j] * (H[i][j] + H[j][i]);
      energy += dx * (lambda * trace * trace + mu * squares);
    }
  c[e] = energy;
}
} // namespace

template <typename Number>
AssembledMatrix<Number>::AssembledMatrix(Backend &backend,
                                         const ElementMesh &mesh,
                                         const Material &material,
                                         const MatrixFormat format,
                                         const bool with_indices)
  : context_(context_of(backend))
  , material_(material)
  , mesh_(backend.memory(),
          [&]() {
            ElementMesh result      = mesh;
            result.constrained_dofs = {}; // ElasticityOperator handles constraints.
            return result;
          }())
  , neighbours_(assembly_operations(backend).find_neighbours(mesh_.connectivity))
  , pattern_(with_indices ? assembly_operations(backend).make_pattern(neighbours_, format, 3)
                          : pattern_sizes(neighbours_, format, 3))
  , stage_(assembly_operations(backend).make_value_stage<Number>(
      {mesh_, material_, neighbours_, pattern_, ValueOptions()}))
{
  require_memory(backend.memory(),
                 sizeof(Number) * static_cast<double>(pattern_.n_stored),
                 "the values of the assembled matrix");
  values_ = Array<Number>(backend.memory(), pattern_.n_stored);
  const Array<double> factors(backend.memory(), std::vector<double>(mesh.n_elements, 1.));
  set_stiffness(factors);
  context_.synchronize(); // The factors must stay until the work is done.
}

template <typename Number>
void AssembledMatrix<Number>::diagonal(Array<Number> &d) const
{
  Number *const out = d.data();
  for_diagonal_blocks(
    context_,
    GeneratedMatrix<Number>{neighbours_, pattern_, values_},
    [=] __device__(const std::size_t node, const int i, const int j, const Number k) {
      if (i == j)
        out[3 * node + i] = k;
    });
}

template <typename Number>
void AssembledMatrix<Number>::diagonal_blocks(Array<Number> &blocks) const
{
  Number *const out = blocks.data(); // The order is xx, xy, xz, yy, yz, zz.
  for_diagonal_blocks(
    context_,
    GeneratedMatrix<Number>{neighbours_, pattern_, values_},
    [=] __device__(const std::size_t node, const int i, const int j, const Number k) {
      out[6 * node + (i == 0 ? j : i + j + 1)] = k;
    });
}

template <typename Number>
void AssembledMatrix<Number>::energies(const Array<Number> &u, Array<double> &c) const
{
  const ConnectivityArrays &connectivity = mesh_.connectivity;
  if (connectivity.n_elements == 0)
    return;
  strain_energy_kernel<<<n_blocks(connectivity.n_elements, energy_block_size),
                         energy_block_size,
                         0,
                         context_.activate()>>>(connectivity.n_elements,
                                                connectivity.n_nodes,
                                                mesh_.coordinates.data(),
                                                connectivity.nodes.data(),
                                                material_.lambda(),
                                                material_.mu(),
                                                u.data(),
                                                c.data());
  STRUT_CUDA_CHECK_LAUNCH("strain_energy_kernel");
}

template <typename Number>
double AssembledMatrix<Number>::common_memory_bytes() const
{
  return common_memory_estimate(mesh_.connectivity.n_elements, mesh_.connectivity.n_nodes) +
         sizeof(LocalIndex) *
           (static_cast<double>(neighbours_.n_pairs) -
            n_pairs_estimate(mesh_.connectivity.n_elements, mesh_.connectivity.n_nodes));
}

template <typename Number>
double AssembledMatrix<Number>::common_memory_estimate(const std::size_t n_elements,
                                                       const std::size_t n_nodes)
{
  // Coordinates, bits of constraints, beginnings of rows and element lists; connectivity, element
  // lists.
  return value_stage_memory_estimate(n_elements, 8, sizeof(Number), ValueMethod::gather) +
         (3. * sizeof(double) + 1. + sizeof(std::uint64_t) + sizeof(LocalIndex)) *
           static_cast<double>(n_nodes) +
         16. * sizeof(LocalIndex) * static_cast<double>(n_elements) +
         sizeof(LocalIndex) * n_pairs_estimate(n_elements, n_nodes);
}

template <typename Number>
double AssembledMatrix<Number>::n_pairs_estimate(const std::size_t n_elements,
                                                 const std::size_t n_nodes)
{
  return StiffnessRows::n_entries_estimate({n_elements, n_nodes}) / 9.;
}

template class AssembledMatrix<double>;
template class AssembledMatrix<float>;
} // namespace strut::cuda
