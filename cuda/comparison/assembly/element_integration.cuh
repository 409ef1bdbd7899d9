// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "source/comparison/assembly/mesh_arrays.h"
#include "source/element/element_stiffness.h"

#include <type_traits>

/// Integration of element matrices by one thread or by a team of threads.
///
/// With S = sum_q dx grad N_a (grad N_b)^T, nine multiply-adds a point, a block is
///
///     K_ab = lambda S + mu (S^T + tr(S) I)
///
/// so that the material enters once per block and not once per point. Blocks with a <= b are
/// computed, the others are their transposes.
namespace strut::cuda
{
constexpr int integration_block_size = 128;

/// Number of threads that share an element. A team computes each gradient once, in shared memory,
/// and each of its threads one 3x3 block after the other. So the 6561 numbers of Hex27 are never
/// stored together. The threads of a team are neighbours in a warp. A linear tetrahedron fits the
/// registers of one thread.
template <typename Element>
constexpr int team_size = Element::n_nodes == 4    ? 1
                          : Element::n_nodes >= 20 ? 32
                                                   : 8;

/// The mesh as a kernel sees it, passed by value.
struct MeshView
{
  explicit MeshView(const MeshArrays &mesh)
    : coordinates(mesh.coordinates.data())
    , nodes(mesh.connectivity.nodes.data())
    , n_nodes(mesh.connectivity.n_nodes)
    , n_elements(mesh.connectivity.n_elements)
  {}

  __device__ LocalIndex node(const std::size_t element, const int local) const
  {
    return nodes[std::size_t(local) * n_elements + element];
  }

  const double *coordinates; ///< `[3][n_nodes]`
  const LocalIndex *nodes;   ///< `[npe][n_elements]`
  std::size_t n_nodes;
  std::size_t n_elements;
};

/// The data of an element between the two phases of its integration.
template <typename Element, typename Number>
struct ElementScratch
{
  /// Coordinates relative to node 0, so float keeps its digits far from the origin.
  Number X[3][Element::n_nodes];
  Number gradients[Element::n_quadrature_points][3][Element::n_nodes];
  Number dx[Element::n_quadrature_points]; ///< volume of each quadrature point
};

/// Number of blocks with a <= b, those of Element::n_nodes (n + 1) / 2 pairs. Pair `p` is a = p mod
/// n, b = a + p / n modulo n, so neighbouring threads of a team read neighbouring nodes.
template <typename Element>
constexpr int n_pairs = Element::n_nodes *(Element::n_nodes + 1) / 2;

/// Computes the sum K_ab / (dx): block (a, b) from the gradients of the element.
template <typename Element, typename Number>
__device__ void pair_block(const ElementScratch<Element, Number> &scratch,
                           const int a,
                           const int b,
                           const Number lambda,
                           const Number mu,
                           Number (&block)[3][3])
{
  Number S[3][3] = {};
#pragma unroll(Element::n_quadrature_points == 8 ? 4 : 1)
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      Number ga[3], gb[3];
      for (int d = 0; d < 3; ++d)
        {
          ga[d] = scratch.dx[q] * scratch.gradients[q][d][a];
          gb[d] = scratch.gradients[q][d][b];
        }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          S[i][j] += ga[i] * gb[j];
    }
  if (a == b) // A diagonal block is symmetric to the last bit.
    {
      S[1][0] = S[0][1];
      S[2][0] = S[0][2];
      S[2][1] = S[1][2];
    }
  const Number trace = mu * (S[0][0] + S[1][1] + S[2][2]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      block[i][j] = lambda * S[i][j] + mu * S[j][i] + (i == j ? trace : Number(0));
}

/// Calls action(a, b, K_ab) for the pairs of element e that belong to this thread.
///
/// @param lane  number of the thread in its team
/// @param scratch  scratch of the team; a team of one thread has its own
template <typename Element, typename Number, int team, typename Action>
__device__ void integrate(const MeshView &mesh,
                          const std::size_t e,
                          const int lane,
                          const Number lambda,
                          const Number mu,
                          ElementScratch<Element, Number> &scratch,
                          const Action &action)
{
  constexpr int n          = Element::n_nodes;
  constexpr bool registers = team == 1 && n == 4; // Registers require that all loops are unrolled.
  constexpr int all        = registers ? n_pairs<Element> : 1;

#pragma unroll(registers ? 3 * n : 1)
  for (int k = lane; k < 3 * n; k += team)
    {
      const double *const x   = mesh.coordinates + std::size_t(k / n) * mesh.n_nodes;
      scratch.X[k / n][k % n] = static_cast<Number>(x[mesh.node(e, k % n)] - x[mesh.node(e, 0)]);
    }
  if (team > 1)
    __syncwarp();
#pragma unroll 1
  for (int q = lane; q < Element::n_quadrature_points; q += team)
    {
      Number inverse[3][3];
      scratch.dx[q] = element_stiffness::jacobian<Element>(scratch.X, q, inverse);
#pragma unroll(registers ? n : 1)
      for (int a = 0; a < n; ++a)
        {
          Number gradient[3];
          element_stiffness::gradient<Element>(inverse, a, q, gradient);
          for (int d = 0; d < 3; ++d)
            scratch.gradients[q][d][a] = gradient[d];
        }
    }
  if (team > 1)
    __syncwarp();
#pragma unroll(all)
  for (int p = lane; p < n_pairs<Element>; p += team)
    {
      const int a = p % n;
      const int b = (a + p / n) % n;
      Number block[3][3];
      pair_block(scratch, a, b, lambda, mu, block);
      action(a, b, block);
    }
}

/// Element and lane of a thread, and the scratch of its team. Threads beyond the last element
/// repeat the last one, since whole warps have to synchronise; they must not write.
template <typename Element, typename Number, int team>
struct TeamPlace
{
  static constexpr std::size_t shared_bytes =
    team == 1 ? 0 : integration_block_size / team * sizeof(ElementScratch<Element, Number>);

  __device__ explicit TeamPlace(const std::size_t n_elements)
    : lane(static_cast<int>(threadIdx.x) % team)
    , wanted(thread_number() / team)
    , element(wanted < n_elements ? wanted : n_elements - 1)
  {}

  __device__ bool writes() const
  {
    return wanted == element;
  }

  const int lane;
  const std::size_t wanted;
  const std::size_t element;
};

/// Runs `body` with the scratch of this thread's team.
template <typename Element, typename Number, int team, typename Body>
__device__ void with_scratch(const Body &body)
{
  if constexpr (team == 1)
    {
      ElementScratch<Element, Number> scratch;
      body(scratch);
    }
  else
    {
      extern __shared__ double shared_scratch[];
      body(reinterpret_cast<ElementScratch<Element, Number> *>(shared_scratch)[threadIdx.x / team]);
    }
}

/// Calls launch(element, std::integral_constant<int, team>()) with the type and the team of the
/// mesh.
template <typename Launch>
void with_team(const ElementType &type, const bool one_thread_per_element, const Launch &launch)
{
  with_element(type, [&](const auto element) {
    using Element = decltype(element);
    if (one_thread_per_element)
      launch(element, std::integral_constant<int, 1>());
    else
      launch(element, std::integral_constant<int, team_size<Element>>());
  });
}

/// Largest number of bytes of shared memory that a block may have.
inline std::size_t largest_shared_block(const Context &context)
{
  int bytes = 0;
  STRUT_CUDA_CHECK(
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, context.device()));
  return static_cast<std::size_t>(bytes);
}

/// Allows a kernel to use so much dynamic shared memory.
template <typename Kernel>
void allow_shared(Kernel *const kernel, const std::size_t bytes)
{
  STRUT_CUDA_CHECK(cudaFuncSetAttribute(kernel,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes)));
}
} // namespace strut::cuda
