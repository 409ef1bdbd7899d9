// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/on_the_fly_elements.cuh"
#include "source/element/element_stiffness.h"
#include "source/element/type_product.h"

#include <strut/mesh/element_mesh.h>

#include <cstdint>

namespace strut::cuda
{
/// The solids of the elements, by their numbers in the mesh.
template <typename Number>
struct SolidsView
{
  type_product::Lame<Number> material;  ///< without Lame's parameters
  const Number *__restrict__ stiffness; ///< E_e; null: 1
  const Number *__restrict__ lambda;    ///< Lame's parameters in the place of E_e, or null
  const Number *__restrict__ mu;

  __device__ type_product::Lame<Number> operator[](const std::size_t e) const
  {
    if (lambda != nullptr)
      return {lambda[e], mu[e]};
    const Number factor = stiffness == nullptr ? Number(1) : stiffness[e];
    return {factor * material.lambda, factor * material.mu};
  }
};

/// The use of the forces of the elements.
enum class Forces
{
  added,   ///< adds them to a vector, by atomic additions
  by_slot, ///< stores their sums, or themselves, slot by slot, for sum_slots_kernel
  energies ///< multiplies them by the displacements: u_e^T K_e u_e
};

/// Where the results of a kernel go.
template <typename Number>
struct Results
{
  Number sign;      ///< factor of the forces
  Number *vector;   ///< `[n_nodes][3]`, or `[n_slots][3]`
  double *energies; ///< `[n_elements]`
};

/// The members of ElementPatches.
template <typename Number>
struct ElementPatchesView
{
  const LocalIndex *__restrict__ elements; ///< null if in the order of the mesh
  const LocalIndex *__restrict__ first_slot;
  const LocalIndex *__restrict__ nodes;
  const Number *__restrict__ coordinates; ///< `[n_slots][3]`
  const std::uint16_t *__restrict__ slots;
  const std::uint16_t *__restrict__ first_place;
  const std::uint16_t *__restrict__ places;
  std::size_t n_elements;
};

/// Formula:   y += sign sum_e P_e^T K_e P_e x, or c_e = u_e^T K_e u_e as the sum of
///            (u_a - u_0) . f_a; forces by type_product
/// Layout:    ElementPatches; x, y `[n_nodes][3]`, x in Number or in float
/// Threads:   a block for each patch, a thread per element; threads along the slots where values
///            are read and where the forces at a node are summed
/// Bytes:     per element, 4 n of slots and places, and the factor; per slot, 4 and 2, 3 numbers of
///            coordinates, 3 of x, 3 of sums
/// Flops:     Product::flops per element
/// Determinism: sums of a patch are in a fixed order; atomics add them in the order of the hardware
template <typename Product, int size, Forces forces, typename Number, typename Input>
__global__ void __launch_bounds__(size) apply_patches_kernel(const ElementPatchesView<Number> view,
                                                             const SolidsView<Number> solids,
                                                             const Input *__restrict__ x,
                                                             const Results<Number> results)
{
  constexpr int n = Product::n_nodes;
  extern __shared__ double shared[];
  const std::size_t p     = blockIdx.x;
  const int lane          = static_cast<int>(threadIdx.x);
  const std::size_t first = view.first_slot[p];
  const int n_slots       = static_cast<int>(view.first_slot[p + 1] - first);
  const std::size_t place = size * p + lane;
  const bool is_element   = place < view.n_elements;
  const std::size_t at    = is_element ? place : view.n_elements - 1;
  const std::size_t e     = view.elements == nullptr ? at : view.elements[at];
  const auto solid        = solids[e];
  if (forces == Forces::added &&
      __syncthreads_or(is_element && (solid.lambda != Number(0) || solid.mu != Number(0))) == 0)
    return; // no element of the structure

  Number *const values      = reinterpret_cast<Number *>(shared);
  Number *const coordinates = values + 3 * n_slots;
  for (int k = lane; k < 3 * n_slots; k += size)
    coordinates[k] = view.coordinates[3 * first + k];
  for (int k = lane; k < 3 * n_slots; k += size)
    {
      const int s = k / 3;
      values[k]   = static_cast<Number>(x[3 * std::size_t(view.nodes[first + s]) + (k - 3 * s)]);
    }
  __syncthreads();
  Number X[3][Product::n_coordinates], u[3][n], f[3][n];
#pragma unroll
  for (int a = 0; a < n; ++a)
    {
      // Lanes without an element take that of lane 0.
      const int s = 3 * view.slots[(p * n + a) * size + (is_element ? lane : 0)];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
          u[i][a] = values[s + i];
          if (a < Product::n_coordinates)
            X[i][a] = coordinates[s + i];
        }
    }
  Product::apply(solid, X, u, f, FastReciprocal());
  if constexpr (forces == Forces::energies)
    {
      double energy = 0;
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int a = 1; a < n; ++a)
          energy += (static_cast<double>(u[i][a]) - static_cast<double>(u[i][0])) *
                    static_cast<double>(f[i][a]);
      if (is_element)
        results.energies[e] = energy;
      return;
    }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int a = 0; a < n; ++a)
      values[3 * (size * a + lane) + i] = f[i][a]; // strides of 3 meet in no bank
  __syncthreads();
  const std::uint16_t *const begin  = view.first_place + first + p;
  const std::uint16_t *const places = view.places + p * n * size;
  for (int k = lane; k < 3 * n_slots; k += size)
    {
      const int s = k / 3, i = k - 3 * s;
      Number sum = 0;
      for (int entry = begin[s]; entry < begin[s + 1]; ++entry)
        sum += values[3 * places[entry] + i];
      if constexpr (forces == Forces::by_slot)
        results.vector[3 * first + k] = sum;
      else
        atomicAdd(results.vector + 3 * std::size_t(view.nodes[first + s]) + i, results.sign * sum);
    }
}

/// Sums over directions by a warp: lane q has the node or point q of the lattice.
namespace lattice
{
/// The row of a matrix of three, for the place of a lane in a direction.
template <typename Number>
struct Row
{
  Number low, centre, high;

  __device__ Number times(const Number a, const Number b, const Number c) const
  {
    return fma(high, c, fma(centre, b, low * a));
  }
};

template <typename Number>
__device__ Row<Number> row(const int place, const Number (&rows)[3][3])
{
  return {place == 0   ? rows[0][0]
          : place == 1 ? rows[1][0]
                       : rows[2][0],
          place == 0   ? rows[0][1]
          : place == 1 ? rows[1][1]
                       : rows[2][1],
          place == 0   ? rows[0][2]
          : place == 1 ? rows[1][2]
                       : rows[2][2]};
}

constexpr int stride = 27; ///< numbers of a lattice in shared memory

/// Fills in the centres of six lattices of Hex20, on the faces and in the middle. A lane takes one
/// centre of one lattice.
template <typename Number>
__device__ void fill_centres(const int lane, const int q, Number *const shared, Number (&values)[6])
{
  constexpr int steps[] = {1, 3, 9}, middle = 13;
  if (lane < stride)
#pragma unroll
    for (int c = 0; c < 6; ++c)
      shared[stride * c + lane] = values[c];
  __syncwarp();
  Number centres[2];
#pragma unroll
  for (int turn = 0; turn < 2; ++turn)
    {
      const int face = (lane + 32 * turn) % 6, c = (lane + 32 * turn) / 6;
      if (c >= 6)
        continue;
      const int d = face / 2, one = steps[(d + 1) % 3], two = steps[(d + 2) % 3];
      const Number *const at = shared + stride * c + middle + (2 * (face % 2) - 1) * steps[d];
      centres[turn] =
        Number(0.5) * (at[-one] + at[one] + at[-two] + at[two]) -
        Number(0.25) * (at[-one - two] + at[one - two] + at[two - one] + at[one + two]);
    }
  Number centre = 0;
  if (lane < 6)
    {
      const Number *const at = shared + stride * lane + middle;
      Number lines = 0, vertices = 0;
#pragma unroll
      for (int d = 0; d < 3; ++d)
        {
          const int one = steps[d], two = steps[(d + 1) % 3];
          lines += at[-one - two] + at[one - two] + at[two - one] + at[one + two];
        }
#pragma unroll
      for (int k = 0; k < 8; ++k)
        vertices += at[(k & 1 ? 1 : -1) + (k & 2 ? 3 : -3) + (k & 4 ? 9 : -9)];
      centre = Number(0.25) * (lines - vertices);
    }
  __syncwarp();
#pragma unroll
  for (int turn = 0; turn < 2; ++turn)
    {
      const int face = (lane + 32 * turn) % 6, c = (lane + 32 * turn) / 6;
      if (c < 6)
        shared[stride * c + middle + (2 * (face % 2) - 1) * steps[face / 2]] = centres[turn];
    }
  if (lane < 6)
    shared[stride * lane + middle] = centre;
  __syncwarp();
#pragma unroll
  for (int c = 0; c < 6; ++c)
    values[c] = shared[stride * c + q];
  __syncwarp();
}

/// Multiplies n lattices by a matrix along one direction. Each lane has its values in registers.
template <int n, typename Number>
__device__ void sweep(const Row<Number> &row,
                      const int first,
                      const int step,
                      const int lane,
                      Number *const shared,
                      Number (&values)[n])
{
  if (lane < 27)
    {
#pragma unroll
      for (int c = 0; c < n; ++c)
        shared[stride * c + lane] = values[c];
    }
  __syncwarp();
#pragma unroll
  for (int c = 0; c < n; ++c)
    {
      const Number *const line = shared + stride * c + first;
      values[c]                = row.times(line[0], line[step], line[2 * step]);
    }
  __syncwarp();
}
} // namespace lattice

/// The nodes of the elements.
struct NodesView
{
  const LocalIndex *__restrict__ connectivity; ///< `[n_elements][n]`
  const double *__restrict__ coordinates;      ///< `[n_nodes][3]`
  std::size_t n_elements;
};

/// Formula:   y += sign sum_e P_e^T K_e P_e x, or c_e = u_e^T K_e u_e, for Hex20 and Hex27, by
///            the sums of type_product::lattice
/// Layout:    NodesView; x, y `[n_nodes][3]`; slots are the nodes of the elements.
/// Threads:   a warp per element, a lane per node of the lattice, and per point.
/// Bytes:     per element, 4 n and the factor; per node of an element 24 and 3 numbers of x, mostly
///            from the caches; 3 n atomic additions, or as many numbers.
/// Flops:     some 260 operations of each of 27 lanes, fused multiply-adds counted once.
/// Determinism: atomics add in the order of the hardware; the rest is in a fixed order
template <typename Element, int n_warps, Forces forces, typename Number, typename Input>
__global__ void __launch_bounds__(32 * n_warps)
  apply_lattice_kernel(const NodesView view,
                       const SolidsView<Number> solids,
                       const Input *__restrict__ x,
                       const Results<Number> results)
{
  constexpr int n    = Element::n_nodes;
  constexpr double g = type_product::lattice::gauss();
  __shared__ Number of_warps[n_warps][9 * lattice::stride];
  Number *const shared = of_warps[threadIdx.x / 32];
  const int lane       = static_cast<int>(threadIdx.x % 32);
  const int q          = min(lane, 26);
  const int at[3]      = {q % 3, q / 3 % 3, q / 9};
  const int steps[3]   = {1, 3, 9};
  const int firsts[3]  = {q - at[0], q - 3 * at[1], q - 9 * at[2]};
  // the node of Hex27 at this place of the lattice
  int node = 26;
  for (int a = 0; a < 26; ++a)
    if (type_product::lattice::place(a) == q)
      node = a;
  const bool has_node = lane < 27 && node < n;

  lattice::Row<Number> to_points[3], slopes[3], to_nodes[3], from_slopes[3];
  {
    const Number s             = Number(0.5 * g);
    const Number points[3][3]  = {{Number(0.3) + s, Number(0.4), Number(0.3) - s},
                                  {0, 1, 0},
                                  {Number(0.3) - s, Number(0.4), Number(0.3) + s}};
    const Number derived[3][3] = {{Number(-1.5), 2, Number(-0.5)},
                                  {Number(-0.5), 0, Number(0.5)},
                                  {Number(0.5), -2, Number(1.5)}};
    Number points_T[3][3], derived_T[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        {
          points_T[i][j]  = points[j][i];
          derived_T[i][j] = derived[j][i];
        }
    for (int d = 0; d < 3; ++d)
      {
        to_points[d]   = lattice::row(at[d], points);
        slopes[d]      = lattice::row(at[d], derived);
        to_nodes[d]    = lattice::row(at[d], points_T);
        from_slopes[d] = lattice::row(at[d], derived_T);
      }
  }
  const double weights[] = {5. / 9. / g, 8. / 9. / g};
  const Number weight =
    static_cast<Number>(weights[at[0] == 1] * weights[at[1] == 1] * weights[at[2] == 1]);

  for (std::size_t e = std::size_t(blockIdx.x) * n_warps + threadIdx.x / 32; e < view.n_elements;
       e += std::size_t(gridDim.x) * n_warps)
    {
      const auto solid = solids[e];
      if (forces == Forces::added && solid.lambda == Number(0) && solid.mu == Number(0))
        continue; // not in the structure
      const LocalIndex *const nodes = view.connectivity + n * e;
      const std::size_t own         = nodes[has_node ? node : 0];
      Number values[6];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
          const double place = view.coordinates[3 * own + i];
          values[i]          = static_cast<Number>(place - __shfl_sync(0xffffffffu, place, 0));
          values[3 + i]      = static_cast<Number>(x[3 * own + i]);
        }
      double of_energy[3];
      if constexpr (forces == Forces::energies)
#pragma unroll
        for (int i = 0; i < 3; ++i)
          of_energy[i] = static_cast<double>(values[3 + i]) -
                         __shfl_sync(0xffffffffu, static_cast<double>(values[3 + i]), 0);
      if constexpr (n == 20)
        lattice::fill_centres(lane, q, shared, values);
#pragma unroll
      for (int d = 0; d < 3; ++d)
        lattice::sweep(to_points[d], firsts[d], steps[d], lane, shared, values);
      // derivatives at the point
      if (lane < 27)
#pragma unroll
        for (int c = 0; c < 6; ++c)
          shared[lattice::stride * c + lane] = values[c];
      __syncwarp();
      Number J[3][3], H[3][3], A[3][3], sigma[6], flux[3][3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int d = 0; d < 3; ++d)
          {
            const Number *const X = shared + lattice::stride * i + firsts[d];
            const Number *const u = X + 3 * lattice::stride;
            J[i][d]               = slopes[d].times(X[0], X[steps[d]], X[2 * steps[d]]);
            H[i][d]               = slopes[d].times(u[0], u[steps[d]], u[2 * steps[d]]);
          }
      __syncwarp();
      type_product::adjugate(J, A);
      type_product::stress(solid, H, A, sigma);
      type_product::flux(weight * FastReciprocal()(type_product::determinant(J, A)),
                         sigma,
                         A,
                         flux);
      if (lane < 27)
#pragma unroll
        for (int i = 0; i < 3; ++i)
#pragma unroll
          for (int d = 0; d < 3; ++d)
            shared[lattice::stride * (3 * i + d) + lane] = flux[i][d];
      __syncwarp();
      Number f[3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
          f[i] = 0;
#pragma unroll
          for (int d = 0; d < 3; ++d)
            {
              const Number *const line = shared + lattice::stride * (3 * i + d) + firsts[d];
              f[i] += from_slopes[d].times(line[0], line[steps[d]], line[2 * steps[d]]);
            }
        }
      __syncwarp();
#pragma unroll
      for (int d = 0; d < 3; ++d)
        lattice::sweep(to_nodes[d], firsts[d], steps[d], lane, shared, f);
      if constexpr (n == 20)
        {
          if (lane < 27)
#pragma unroll
            for (int i = 0; i < 3; ++i)
              shared[lattice::stride * i + lane] = f[i];
          __syncwarp();
          if (has_node)
            {
              const bool is_vertex = node < 8;
#pragma unroll
              for (int i = 0; i < 3; ++i)
                {
                  const Number *const values = shared + lattice::stride * i;
                  Number sum                 = 0;
                  // the centres of the faces that the node is on
#pragma unroll
                  for (int d = 0; d < 3; ++d)
                    if (at[d] != 1)
                      sum += values[13 + (at[d] - 1) * steps[d]];
                  f[i] += (is_vertex ? Number(-0.25) : Number(0.5)) * sum +
                          (is_vertex ? Number(-0.25) : Number(0.25)) * values[13];
                }
            }
          __syncwarp();
        }
      if constexpr (forces == Forces::energies)
        {
          double energy = 0;
          if (has_node)
#pragma unroll
            for (int i = 0; i < 3; ++i)
              energy += of_energy[i] * static_cast<double>(f[i]);
#pragma unroll
          for (int step = 16; step > 0; step /= 2)
            energy += __shfl_down_sync(0xffffffffu, energy, step);
          if (lane == 0)
            results.energies[e] = energy;
        }
      else if (has_node)
#pragma unroll
        for (int i = 0; i < 3; ++i)
          if constexpr (forces == Forces::by_slot)
            results.vector[3 * (n * e + node) + i] = f[i];
          else
            atomicAdd(results.vector + 3 * own + i, results.sign * f[i]);
    }
}
/// Formula:   D_n = sum_e (K_e)_aa over the elements of node n, a its number there: the six numbers
///            of the symmetric block, or its diagonal
/// Layout:    NodesView; places `n e + a` of each node in compressed rows; out `[n_nodes][6 or 3]`.
/// Threads:   one per node.
/// Bytes:     per place, 4 n and 24 n of the caches; per node, 6 or 3 numbers.
/// Flops:     per place and quadrature point about 50 n in double
/// Determinism: every entry has one writer
template <typename Element, int n_numbers, typename Number>
__global__ void __launch_bounds__(loop_block_size)
  nodal_blocks_kernel(const NodesView view,
                      const SolidsView<Number> solids,
                      const std::size_t n_nodes,
                      const LocalIndex *__restrict__ begin,
                      const LocalIndex *__restrict__ places,
                      Number *__restrict__ out)
{
  constexpr int n        = Element::n_nodes;
  const std::size_t node = thread_number();
  if (node >= n_nodes)
    return;
  double block[3][3] = {};
  for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
    {
      const std::size_t e = places[k] / n;
      const int a         = static_cast<int>(places[k] % n);
      const auto solid    = solids[e];
      double X[3][n];
      for (int b = 0; b < n; ++b)
        for (int i = 0; i < 3; ++i)
          X[i][b] = view.coordinates[3 * std::size_t(view.connectivity[n * e + b]) + i];
#pragma unroll 1
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double inverse[3][3], g[3];
          const double dx = element_stiffness::jacobian<Element>(X, q, inverse);
          element_stiffness::gradient<Element>(inverse, a, q, g);
          element_stiffness::add_block(
            g, g, dx, static_cast<double>(solid.lambda), static_cast<double>(solid.mu), block);
        }
    }
  for (int i = 0, k = 0; i < 3; ++i)
    if constexpr (n_numbers == 3)
      out[3 * node + i] = static_cast<Number>(block[i][i]);
    else
      for (int j = i; j < 3; ++j, ++k)
        out[6 * node + k] = static_cast<Number>(block[i][j]);
}
} // namespace strut::cuda
