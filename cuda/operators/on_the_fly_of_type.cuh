// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/on_the_fly_elements.cuh"
#include "cuda/operators/on_the_fly_patches.cuh"
#include "source/element/element_stiffness.h"
#include "source/element/type_product.h"
#include "source/mesh/element_patches.h"

#include <strut/mesh/element_mesh.h>

#include <cstdint>

namespace strut::cuda
{
/// The solids of the elements, by their numbers in the mesh.
template <typename Number, typename Stored = Number>
struct SolidsView
{
  type_product::Lame<Number> material;  ///< without Lame's parameters
  const Stored *__restrict__ stiffness; ///< E_e; null: 1
  const Stored *__restrict__ lambda;    ///< Lame's parameters in the place of E_e, or null
  const Stored *__restrict__ mu;

  /// The numbers of an element as memory has them.
  struct Numbers
  {
    Stored first, second;
  };

  /// Asks for the numbers of an element, and does not wait for them.
  __device__ Numbers numbers_of(const std::size_t e) const
  {
    if (lambda != nullptr)
      return {lambda[e], mu[e]};
    return {stiffness == nullptr ? Stored(1) : stiffness[e], Stored(0)};
  }

  __device__ type_product::Lame<Number> solid(const Numbers &numbers) const
  {
    const auto first = static_cast<Number>(numbers.first);
    if (lambda != nullptr)
      return {first, static_cast<Number>(numbers.second)};
    return {first * material.lambda, first * material.mu};
  }

  __device__ type_product::Lame<Number> operator[](const std::size_t e) const
  {
    return solid(numbers_of(e));
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
  const LocalIndex *__restrict__ nodes_of_sums;
  const std::uint16_t *__restrict__ first_place;
  const std::uint16_t *__restrict__ places;
  std::size_t n_elements;
  int n_values;   ///< Numbers of a block in shared memory
  int most_slots; ///< The largest number of slots of a patch
};

/// A thread asks for so many nodes of slots at once, of which patches of straight tetrahedra seldom
/// have more.
template <typename Product>
constexpr int n_nodes_ahead = Product::n_nodes == 4    ? 2
                              : Product::n_nodes == 10 ? 9
                                                       : 4;

/// A multiprocessor has so many blocks of apply_patches_kernel at a time. Registers are as few as
/// do not spill much: more warps hide the latency of memory.
template <typename Product, typename Number>
constexpr int n_resident_patches = Product::n_nodes == 4 ? (sizeof(Number) == 8 ? 8 : 12)
                                   : Product::n_nodes == 10 && Product::n_coordinates == 4
                                     ? (sizeof(Number) == 8 ? 5 : 8)
                                     : 1;

/// Formula:   y += sign sum_e P_e^T K_e P_e x, or c_e = u_e^T K_e u_e as the sum of
///            (u_a - u_0) . f_a; forces by type_product
/// Layout:    ElementPatches; x, y `[n_nodes][3]`, x in Number or in float
/// Threads:   a block for each patch, a thread per element; threads along the slots where values
///            are read, and along the sums, of which neighbours have equally many places
/// Bytes:     per element, 4 n of slots and places, and the factor; per slot, 10, 3 numbers of
///            coordinates, 3 of x, 3 of sums
/// Flops:     Product::flops per element
/// Determinism: sums of a patch are in a fixed order; atomics add them in the order of the hardware
template <typename Product,
          int size,
          Forces forces,
          typename Number,
          typename Stored,
          typename Input>
__global__ void
__launch_bounds__(size, (forces == Forces::energies ? 1 : n_resident_patches<Product, Number>))
  apply_patches_kernel(const ElementPatchesView<Number> view,
                       const SolidsView<Number, Stored> solids,
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

  // Whatever comes from memory is asked for here, before the first wait: nodes first, as their
  // values are asked for last.
  constexpr int n_ahead = n_nodes_ahead<Product>;
  LocalIndex nodes[n_ahead];
#pragma unroll
  for (int r = 0; r < n_ahead; ++r)
    if (const int k = lane + size * r; k < 3 * n_slots)
      nodes[r] = view.nodes[first + k / 3];
  const auto numbers = solids.numbers_of(e);

  Number *const values            = reinterpret_cast<Number *>(shared);
  Number *const coordinates       = values + 3 * n_slots;
  std::uint16_t *const places     = reinterpret_cast<std::uint16_t *>(values + view.n_values);
  std::uint16_t *const begin      = places + n * size;
  LocalIndex *const nodes_of_sums = reinterpret_cast<LocalIndex *>(
    begin + ElementPatches::begin_of_row(std::size_t(view.most_slots), 1));
  if constexpr (forces != Forces::energies)
    {
      const std::uint16_t *const places_of_patch = view.places + p * n * size;
      for (int k = 8 * lane; k < n * size; k += 8 * size)
        patch::copy_async<16>(places + k, places_of_patch + k);
      const std::uint16_t *const row = view.first_place + ElementPatches::begin_of_row(first, p);
      for (int k = 8 * lane; k <= n_slots; k += 8 * size)
        patch::copy_async<16>(begin + k, row + k);
      for (int s = lane; s < n_slots; s += size)
        patch::copy_async<sizeof(LocalIndex)>(nodes_of_sums + s, view.nodes_of_sums + first + s);
    }
  for (int k = lane; k < 3 * n_slots; k += size)
    patch::copy_async<sizeof(Number)>(coordinates + k, view.coordinates + 3 * first + k);
  int slots[n];
#pragma unroll
  for (int a = 0; a < n; ++a)
    // Lanes without an element take that of lane 0.
    slots[a] = view.slots[(p * n + a) * size + (is_element ? lane : 0)];
  const auto copy_value = [&](const int k, const LocalIndex node) {
    const Input *const from = x + 3 * std::size_t(node) + k % 3;
    if constexpr (std::is_same_v<Input, Number>)
      patch::copy_async<sizeof(Number)>(values + k, from);
    else
      values[k] = static_cast<Number>(*from);
  };
#pragma unroll
  for (int r = 0; r < n_ahead; ++r)
    if (const int k = lane + size * r; k < 3 * n_slots)
      copy_value(k, nodes[r]);
  for (int k = lane + size * n_ahead; k < 3 * n_slots; k += size)
    copy_value(k, view.nodes[first + k / 3]);
  patch::wait_for_copies();
  const auto solid    = solids.solid(numbers);
  const bool is_solid = is_element && (solid.lambda != Number(0) || solid.mu != Number(0));
  if (__syncthreads_or(is_solid || forces != Forces::added) == 0)
    return; // no element of the structure
  Number X[3][Product::n_coordinates], u[3][n], f[3][n];
#pragma unroll
  for (int a = 0; a < n; ++a)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      {
        u[i][a] = values[3 * slots[a] + i];
        if (a < Product::n_coordinates)
          X[i][a] = coordinates[3 * slots[a] + i];
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
  for (int k = lane; k < 3 * n_slots; k += size)
    {
      const int s = k / 3, i = k - 3 * s;
      Number sum = 0;
      for (int entry = begin[s]; entry < begin[s + 1]; ++entry)
        sum += values[3 * places[entry] + i];
      if constexpr (forces == Forces::by_slot)
        results.vector[3 * first + k] = sum;
      else
        atomicAdd(results.vector + 3 * std::size_t(nodes_of_sums[s]) + i, results.sign * sum);
    }
}

/// Sums over directions by nine lanes for each element, three elements a warp. A lane has a line of
/// the lattice along x, in registers. It takes values of other lines from their lanes.
namespace lattice
{
constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int n_elements         = 3;              ///< elements of a warp
constexpr int n_lanes            = 9 * n_elements; ///< lanes that take part

/// A multiprocessor has so many blocks of four warps at a time. More would spill registers.
template <typename Number>
constexpr int n_resident = sizeof(Number) == 8 ? 3 : 4;

/// The matrix gives values at the points of a line from values at its nodes. For Hex20 they are
/// from *hierarchical* numbers: the middle one is the value there less the mean of the ends. The
/// lattice of these numbers is zero at the centres that Hex20 does not have.
template <bool is_hierarchical>
constexpr double point(const int q, const int node)
{
  constexpr double s = 0.5 * type_product::lattice::gauss(), mean = is_hierarchical ? 0.5 : 0.3,
                   middle     = is_hierarchical ? 0.5 : 0.;
  constexpr double rows[3][3] = {{mean + s, 0.4, mean - s},
                                 {middle, 1., middle},
                                 {mean - s, 0.4, mean + s}};
  return rows[q][node];
}

/// The matrix gives slopes at the points of a line, times gauss(), from values there.
constexpr double slope(const int q, const int point)
{
  constexpr double rows[3][3] = {{-1.5, 2., -0.5}, {-0.5, 0., 0.5}, {0.5, -2., 1.5}};
  return rows[q][point];
}

/// The matrix gives slopes at the points of a line, times gauss(), from numbers of its nodes.
template <bool is_hierarchical>
constexpr double slope_of_nodes(const int q, const int node)
{
  double sum = 0.;
  for (int r = 0; r < 3; ++r)
    sum += slope(q, r) * point<is_hierarchical>(r, node);
  return sum;
}

/// The row of a matrix for a place on a line: factors of the place, and of the two that follow in
/// the circle.
template <typename Number>
struct Row
{
  Number own, next, last;

  /// @param matrix  function of row and column
  __device__ Row(const int place, double (*const matrix)(int, int))
  {
    Number row[3];
#pragma unroll
    for (int k = 0; k < 3; ++k)
      {
        row[k] = 0;
#pragma unroll
        for (int p = 0; p < 3; ++p)
          if (place == p)
            row[k] = static_cast<Number>(matrix(p, (p + k) % 3));
      }
    own  = row[0];
    next = row[1];
    last = row[2];
  }

  /// The row times the values of a line.
  __device__ Number times(const Number a, const Number of_next, const Number of_last) const
  {
    return fma(last, of_last, fma(next, of_next, own * a));
  }
};

/// A direction across the lines: the lanes that follow in the circle.
struct Across
{
  int next, last;

  template <typename Number>
  __device__ Number from_next(const Number a) const
  {
    return __shfl_sync(all_lanes, a, next);
  }
  template <typename Number>
  __device__ Number from_last(const Number a) const
  {
    return __shfl_sync(all_lanes, a, last);
  }
  /// A row times the values of a line across.
  template <typename Number>
  __device__ Number times(const Row<Number> &row, const Number a) const
  {
    return row.times(a, from_next(a), from_last(a));
  }
  /// The column of a matrix, which is the row of the transpose, times the values of a line across:
  /// each lane multiplies its value for the others.
  template <typename Number>
  __device__ Number times_column(const Row<Number> &row, const Number a) const
  {
    return fma(row.own, a, from_last(row.next * a) + from_next(row.last * a));
  }
  /// The sum of two of these products.
  template <typename Number>
  __device__ Number times_columns(const Row<Number> &first,
                                  const Number a,
                                  const Row<Number> &second,
                                  const Number b) const
  {
    return fma(first.own,
               a,
               fma(second.own,
                   b,
                   from_last(fma(first.next, a, second.next * b)) +
                     from_next(fma(first.last, a, second.last * b))));
  }
};

/// Changes numbers of the nodes of a line to values at its points.
template <bool is_hierarchical, typename Number>
__device__ void to_points(Number (&v)[3])
{
  constexpr double half = 0.5 * type_product::lattice::gauss();
  const Number sum = v[0] + v[2], odd = v[2] - v[0];
  const Number even = fma(Number(0.4), v[1], Number(is_hierarchical ? 0.5 : 0.3) * sum);
  if (is_hierarchical)
    v[1] = fma(Number(0.5), sum, v[1]);
  v[0] = fma(Number(-half), odd, even);
  v[2] = fma(Number(half), odd, even);
}

/// The transpose of to_points().
template <bool is_hierarchical, typename Number>
__device__ void to_nodes(Number (&v)[3])
{
  constexpr double half = 0.5 * type_product::lattice::gauss();
  const Number even = v[0] + v[2], odd = Number(half) * (v[2] - v[0]);
  const Number mean = is_hierarchical ? Number(0.5) * (even + v[1]) : Number(0.3) * even;
  v[1]              = fma(Number(0.4), even, v[1]);
  v[0]              = mean - odd;
  v[2]              = mean + odd;
}

/// Whether an element with n nodes has one at point p of a line.
__host__ __device__ constexpr bool has_node(const int n, const int line, const int p)
{
  return n == 27 || (line % 3 == 1) + (line / 3 == 1) + (p == 1) < 2;
}
} // namespace lattice

/// Whether nine lanes compute an element; otherwise one does, in patches.
template <typename Element>
constexpr bool by_lattice = std::is_same_v<Element, Hex20> || std::is_same_v<Element, Hex27>;

/// The node that is number k of an element in NodesView.
template <typename Element>
int node_of(const int k)
{
  int found = k;
  if constexpr (by_lattice<Element>)
    for (int a = 0; a < Element::n_nodes; ++a)
      {
        int n_before = 0;
        for (int b = 0; b < Element::n_nodes; ++b)
          n_before += type_product::lattice::place(b) < type_product::lattice::place(a);
        found = n_before == k ? a : found;
      }
  return found;
}

/// The nodes of the elements, by the numbers of node_of(): those of quadratic hexahedra are in the
/// order of the lattice.
struct NodesView
{
  const LocalIndex *__restrict__ connectivity; ///< `[n_elements][n]`
  const double *__restrict__ coordinates;      ///< `[n_nodes][3]`
  std::size_t n_elements;
  std::uint8_t node[27]; ///< `[n]`, node_of() as a table
};

/// Elements of a warp in shared memory: those that it computes, and copies of the next ones.
template <typename Product, typename Number>
struct LatticeElements
{
  static constexpr bool is_straight = Product::n_coordinates == 8;
  static constexpr int n_nodes      = Product::n_nodes * lattice::n_elements;
  using Geometry                    = std::conditional_t<is_straight, Number, double>;

  Number values[2][3 * n_nodes]; ///< Buffers hold numbers of x, then forces.
  /// Buffers hold coefficients `[element][3][7]` of straight lines, or places `[node][3]`.
  Geometry geometry[2][is_straight ? 21 * lattice::n_elements : 3 * n_nodes];
  /// Buffers hold nodes of the elements that are computed, of the next, and of those after them.
  LocalIndex nodes[3][n_nodes];
};

/// Formula:   y += sign sum_e P_e^T K_e P_e x, or c_e = u_e^T K_e u_e, for Hex20 and Hex27, by
///            the sums of type_product::lattice
/// Layout:    NodesView; x, y `[n_nodes][3]`; slots are the nodes of the elements. Coefficients of
///            straight lines `[n_elements][3][7]`, see type_product::lattice::StraightLine.
/// Threads:   nine lanes per element, each with a line of three nodes, and of three points, along
///            x. Three elements a warp; five lanes have none, and do as the last one. What comes
///            from nodes and goes to them passes through shared memory: three lanes for each node.
///            It is copied while the elements before are computed.
/// Bytes:     per element, 4 n and the factor, and 21 numbers of straight lines; per node of an
///            element 3 numbers of x, and 24 of curved lines, mostly from the caches; 3 n atomic
///            additions, or as many numbers. A lane takes 108 numbers from other lanes, 54 more for
///            curved lines, and for Hex20 24 more, or 36.
/// Flops:     Product::flops per element, and what lanes repeat
/// Determinism: atomics add in the order of the hardware; the rest is in a fixed order
template <typename Product,
          int n_warps,
          Forces forces,
          typename Number,
          typename Stored,
          typename Input>
__global__ void __launch_bounds__(32 * n_warps, lattice::n_resident<Number>)
  apply_lattice_kernel(const NodesView view,
                       const Number *__restrict__ coefficients,
                       const SolidsView<Number, Stored> solids,
                       const Input *__restrict__ x,
                       const Results<Number> results)
{
  using namespace lattice;
  static_assert(sizeof(Input) <= sizeof(Number));
  constexpr int n            = Product::n_nodes;
  constexpr bool is_20       = n == 20; // hierarchical
  constexpr bool is_straight = Product::n_coordinates == 8;
  constexpr int n_fields     = is_straight ? 3 : 6;       // displacements, and places
  constexpr int n_copies     = (n * n_elements + 9) / 10; // of ten nodes each
  constexpr double g         = type_product::lattice::gauss();
  __shared__ LatticeElements<Product, Number> of_warps[n_warps];
  LatticeElements<Product, Number> &own = of_warps[threadIdx.x / 32];
  const int lane                        = static_cast<int>(threadIdx.x % 32);
  const bool is_lane                    = lane < n_lanes;
  const int t = min(lane, n_lanes - 1) / 9, line = min(lane, n_lanes - 1) % 9;
  const int y = line % 3, z = line / 3;
  const Across along_y{9 * t + (y + 1) % 3 + 3 * z, 9 * t + (y + 2) % 3 + 3 * z},
    along_z{9 * t + y + 3 * ((z + 1) % 3), 9 * t + y + 3 * ((z + 2) % 3)};
  const Row<Number> points_y(y, point<is_20>), points_z(z, point<is_20>),
    slopes_y(y, slope_of_nodes<is_20>), slopes_z(z, slope);
  const Number weight =
    static_cast<Number>((y == 1 ? 8. : 5.) / 9. / g * (z == 1 ? 8. : 5.) / 9. / g);
  // where the numbers of the nodes of the line are in shared memory, or -1
  int at[3] = {-1, -1, -1};
  {
    int next = 3 * n * t;
#pragma unroll
    for (int k = 0; k < 9; ++k)
#pragma unroll
      for (int p = 0; p < 3; ++p)
        if (has_node(n, k, p))
          {
            at[p] = k == line ? next : at[p];
            next += 3;
          }
  }

  const auto n_all = static_cast<int>(view.n_elements);
  const auto step  = static_cast<int>(gridDim.x) * n_warps * n_elements;
  // the nodes of the elements from `begin` on that there are
  const auto n_used = [&](const int begin) {
    const int left = n_all - begin;
    return left >= n_elements ? n * n_elements : left > 0 ? n * left : 0;
  };
  const auto copy_nodes = [&](const int begin, LocalIndex *const to) {
    for (int k = lane; k < n_used(begin); k += 32)
      patch::copy_async<sizeof(LocalIndex)>(to + k, view.connectivity + std::size_t(n) * begin + k);
  };
  // Lane l has number l % 3 of the nodes l / 3, 10 + l / 3, ...
  const int first = lane < 30 ? lane / 3 : n * n_elements, component = lane % 3;
  const auto copy_elements = [&](const int begin, const LocalIndex *nodes, const int buffer) {
    const int n_nodes = n_used(begin);
#pragma unroll
    for (int k = 0; k < n_copies; ++k)
      if (first + 10 * k < n_nodes)
        {
          const std::size_t from = 3 * std::size_t(nodes[first + 10 * k]) + component;
          patch::copy_async<sizeof(Input)>(reinterpret_cast<Input *>(own.values[buffer]) + lane +
                                             30 * k,
                                           x + from);
          if constexpr (!is_straight)
            patch::copy_async<8>(own.geometry[buffer] + lane + 30 * k, view.coordinates + from);
        }
    if constexpr (is_straight)
      for (int k = lane; k < 21 * n_nodes / n; k += 32)
        patch::copy_async<sizeof(Number)>(own.geometry[buffer] + k,
                                          coefficients + std::size_t(21) * begin + k);
  };
  const auto solid_of = [&](const int begin) {
    return solids[static_cast<std::size_t>(min(begin + t, n_all - 1))];
  };

  int begin =
    (static_cast<int>(blockIdx.x) * n_warps + static_cast<int>(threadIdx.x / 32)) * n_elements;
  LocalIndex *nodes = own.nodes[0], *next_nodes = own.nodes[1], *later_nodes = own.nodes[2];
  int buffer = 0;
  copy_nodes(begin, nodes);
  patch::wait_for_copies();
  copy_elements(begin, nodes, buffer);
  copy_nodes(begin + step, next_nodes);
  auto next_solid = solid_of(begin);
  for (; begin < n_all; begin += step)
    {
      patch::wait_for_copies();
      const auto solid = next_solid;
      copy_elements(begin + step, next_nodes, 1 - buffer);
      copy_nodes(begin + 2 * step, later_nodes);
      next_solid              = solid_of(begin + step);
      Number *const values    = own.values[buffer];
      const auto *geometry    = own.geometry[buffer];
      const LocalIndex *these = nodes;
      nodes                   = next_nodes;
      next_nodes              = later_nodes;
      later_nodes             = const_cast<LocalIndex *>(these);
      buffer                  = 1 - buffer;
      const std::size_t e     = static_cast<std::size_t>(min(begin + t, n_all - 1));
      const bool is_element   = is_lane && begin + t < n_all;
      const bool is_solid     = is_element && (solid.lambda != Number(0) || solid.mu != Number(0));
      if (forces == Forces::added && !__any_sync(all_lanes, is_solid))
        continue; // not in the structure
      Number v[n_fields][3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int p = 0; p < 3; ++p)
          {
            v[i][p] = at[p] >= 0
                        ? static_cast<Number>(reinterpret_cast<const Input *>(values)[at[p] + i])
                        : Number(0);
            if constexpr (!is_straight)
              v[3 + i][p] = at[p] >= 0
                              ? static_cast<Number>(geometry[at[p] + i] - geometry[3 * n * t + i])
                              : Number(0);
          }
      __syncwarp();
      if constexpr (is_20)
        {
          // Lines through midpoints are between two lines through vertices.
          const bool is_between = (y == 1) != (z == 1);
          const int low = 9 * t + (y == 1 ? 3 * z : y), high = 9 * t + (y == 1 ? 2 + 3 * z : y + 6);
#pragma unroll
          for (int k = 0; k < n_fields; ++k)
            {
#pragma unroll
              for (int p = 0; p < 3; p += 2)
                {
                  const Number sum =
                    __shfl_sync(all_lanes, v[k][p], low) + __shfl_sync(all_lanes, v[k][p], high);
                  if (is_between)
                    v[k][p] = fma(Number(-0.5), sum, v[k][p]);
                }
              if (y != 1 && z != 1)
                v[k][1] = fma(Number(-0.5), v[k][0] + v[k][2], v[k][1]);
            }
        }
      Number slopes[n_fields][3]; // along y
#pragma unroll
      for (int k = 0; k < n_fields; ++k)
        {
          to_points<is_20>(v[k]);
#pragma unroll
          for (int p = 0; p < 3; ++p)
            {
              const Number own = along_z.times(points_z, v[k][p]), next = along_y.from_next(own),
                           last = along_y.from_last(own);
              v[k][p]           = points_y.times(own, next, last);
              slopes[k][p]      = slopes_y.times(own, next, last);
            }
        }
      const auto gradient = [&](const int first, const int p, Number(&to)[3][3]) {
#pragma unroll
        for (int i = 0; i < 3; ++i)
          {
            const Number(&values)[3] = v[first + i];
            to[i][0]                 = fma(Number(slope(p, 2)),
                           values[2],
                           fma(Number(slope(p, 1)), values[1], Number(slope(p, 0)) * values[0]));
            to[i][1]                 = slopes[first + i][p];
            to[i][2]                 = along_z.times(slopes_z, values[p]);
          }
      };
      const auto of_element = [of = geometry + 21 * t](const int i, const int k) {
        return of[7 * i + k];
      };
      const auto straight = [&]() {
        if constexpr (is_straight)
          return type_product::lattice::StraightLine<Number>(of_element,
                                                             Number(y - 1),
                                                             Number(z - 1));
        else
          return 0;
      }();
      Number f[3][3] = {}, flux_y[3][3];
#pragma unroll
      for (int p = 0; p < 3; ++p)
        {
          Number J[3][3], H[3][3], A[3][3], sigma[6], flux[3][3];
          gradient(0, p, H);
          if constexpr (is_straight)
            straight.jacobian(p, J);
          else
            gradient(3, p, J);
          type_product::adjugate(J, A);
          type_product::stress(solid, H, A, sigma);
          const Number scale = weight * Number((p == 1 ? 8. : 5.) / 9. / g);
          type_product::flux(scale * FastReciprocal()(type_product::determinant(J, A)),
                             sigma,
                             A,
                             flux);
#pragma unroll
          for (int i = 0; i < 3; ++i)
            {
#pragma unroll
              for (int r = 0; r < 3; ++r)
                f[i][r] = fma(Number(slope(p, r)), flux[i][0], f[i][r]);
              f[i][p] += along_z.times_column(slopes_z, flux[i][2]);
              flux_y[i][p] = flux[i][1];
            }
        }
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
#pragma unroll
          for (int p = 0; p < 3; ++p)
            {
              f[i][p] = along_y.times_columns(points_y, f[i][p], slopes_y, flux_y[i][p]);
              f[i][p] = along_z.times_column(points_z, f[i][p]);
            }
          to_nodes<is_20>(f[i]);
        }
      if constexpr (is_20)
        {
          const bool is_vertical = y != 1 && z != 1;
#pragma unroll
          for (int i = 0; i < 3; ++i)
#pragma unroll
            for (int p = 0; p < 3; p += 2)
              {
                const Number sum = __shfl_sync(all_lanes, f[i][p], 9 * t + 1 + 3 * z) +
                                   __shfl_sync(all_lanes, f[i][p], 9 * t + y + 3);
                if (is_vertical)
                  f[i][p] = fma(Number(-0.5), sum + f[i][1], f[i][p]);
              }
        }
      if constexpr (forces == Forces::energies)
        {
          double energy = 0;
#pragma unroll
          for (int p = 0; p < 3; ++p)
            if (at[p] >= 0)
#pragma unroll
              for (int i = 0; i < 3; ++i)
                energy +=
                  (static_cast<double>(reinterpret_cast<const Input *>(values)[at[p] + i]) -
                   static_cast<double>(reinterpret_cast<const Input *>(values)[3 * n * t + i])) *
                  static_cast<double>(f[i][p]);
          double sum = 0;
#pragma unroll
          for (int k = 0; k < 9; ++k)
            sum += __shfl_sync(all_lanes, energy, 9 * t + k);
          if (is_element && line == 0)
            results.energies[e] = sum;
        }
      else
        {
          if (is_lane)
#pragma unroll
            for (int p = 0; p < 3; ++p)
              if (at[p] >= 0)
#pragma unroll
                for (int i = 0; i < 3; ++i)
                  values[at[p] + i] = f[i][p];
          __syncwarp();
          const int n_nodes = n_used(begin);
#pragma unroll
          for (int k = 0; k < n_copies; ++k)
            if (first + 10 * k < n_nodes)
              {
                const Number force = values[lane + 30 * k];
                if constexpr (forces == Forces::by_slot)
                  results.vector[std::size_t(3 * n) * begin + lane + 30 * k] = force;
                else
                  atomicAdd(results.vector + 3 * std::size_t(these[first + 10 * k]) + component,
                            results.sign * force);
              }
        }
      __syncwarp(); // Copies go to these places from here on.
    }
}

/// The numbers of a symmetric block: its upper triangle, row by row, or its diagonal.
template <int n_numbers>
__device__ void numbers_of(const double (&block)[3][3], double (&numbers)[n_numbers])
{
  if constexpr (n_numbers == 3)
    for (int i = 0; i < 3; ++i)
      numbers[i] = block[i][i];
  else
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++k)
        numbers[k] = block[i][j];
}

/// Formula:   D_n = sum_e (K_e)_aa over the elements of node n, a its number there, for tetrahedra
///            with straight lines: the gradients of the barycentric coordinates are constant
/// Layout:    NodesView; places `n e + a` of each node in compressed rows; out `[n_nodes]` of the
///            numbers of a block
/// Threads:   one per node
/// Bytes:     per place, 16 and 96 of the caches; per node, 6 or 3 numbers
/// Flops:     about 110 per place
/// Determinism: every entry has one writer
template <typename Element, int n_numbers, typename Number>
__global__ void __launch_bounds__(loop_block_size)
  nodal_blocks_of_tetrahedra_kernel(const NodesView view,
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
      const std::size_t e           = places[k] / n;
      const int a                   = static_cast<int>(places[k] % n);
      const auto solid              = solids[e];
      const LocalIndex *const nodes = view.connectivity + n * e;
      double X[3][4], J[3][3], A[3][3];
#pragma unroll
      for (int b = 0; b < 4; ++b)
#pragma unroll
        for (int i = 0; i < 3; ++i)
          X[i][b] = view.coordinates[3 * std::size_t(nodes[b]) + i];
      type_product::jacobian_of_vertices(X, J);
      type_product::adjugate(J, A);
      // det(J) times the gradients of the barycentric coordinates of one vertex or two
      const int first  = a < 4 ? a : Tet10::line_vertex(a - 4, 0),
                second = a < 4 ? a : Tet10::line_vertex(a - 4, 1);
      double p[3], q[3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
          const double zero = -(A[0][i] + A[1][i] + A[2][i]);
          p[i] = first == 0 ? zero : first == 1 ? A[0][i] : first == 2 ? A[1][i] : A[2][i];
          q[i] = second == 0 ? zero : second == 1 ? A[0][i] : second == 2 ? A[1][i] : A[2][i];
        }
      // The gradient of a shape function is constant; or linear, 3 p at its vertex and -p at the
      // others; or 4 q and 4 p at the ends of its line. `int L_a L_b` is (1 + delta_ab) / 120.
      const double scale = 1. / type_product::determinant(J, A);
      const double one   = scale * (n == 4  ? 1. / 6.
                                    : a < 4 ? 12. / 120.
                                            : 0.),
                   two   = scale * (n == 10 && a >= 4 ? 16. / 120. : 0.);
      double S[3][3];
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j)
          S[i][j] =
            one * p[i] * p[j] + two * (p[i] * p[j] + q[i] * q[j] + (p[i] + q[i]) * (p[j] + q[j]));
      const double lambda = solid.lambda, mu = solid.mu;
      const double trace = mu * (S[0][0] + S[1][1] + S[2][2]);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        {
#pragma unroll
          for (int j = 0; j < 3; ++j)
            block[i][j] += (lambda + mu) * S[i][j];
          block[i][i] += trace;
        }
    }
  double numbers[n_numbers];
  numbers_of(block, numbers);
#pragma unroll
  for (int k = 0; k < n_numbers; ++k)
    out[n_numbers * node + k] = static_cast<Number>(numbers[k]);
}

/// Formula:   D_n = sum_e (K_e)_aa over the elements of node n, a its number there
/// Layout:    NodesView; out `[n_nodes]` of the numbers of a block, or `[n_elements][n][3]` of
///            three of them, from number `part`
/// Threads:   a warp per element; a lane per quadrature point, for its Jacobian, then per node
/// Bytes:     per element, 4 n and 24 n; 6 n or 3 n atomic additions. Gradients of reference are a
///            table in shared memory.
/// Flops:     per point and node of an element about 70 in double
/// Determinism: atomics add in the order of the hardware
template <typename Element, int n_warps, int n_numbers, Forces forces, typename Number>
__global__ void __launch_bounds__(32 * n_warps) nodal_blocks_kernel(const NodesView view,
                                                                    const SolidsView<Number> solids,
                                                                    const int part,
                                                                    Number *__restrict__ out)
{
  constexpr int n = Element::n_nodes, n_points = Element::n_quadrature_points;
  static_assert(n <= 32 && n_points <= 32);
  __shared__ double slopes[n_points][n][3];
  __shared__ double of_warps[n_warps][n_points][10];
  __shared__ double coordinates[n_warps][n][3];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  for (int k = static_cast<int>(threadIdx.x); k < n_points * n; k += 32 * n_warps)
    {
      double x[3], g[3];
      Element::quadrature_point(k / n, x);
      Element::shape_gradient(view.node[k % n], x, g);
      for (int d = 0; d < 3; ++d)
        slopes[k / n][k % n][d] = g[d];
    }
  __syncthreads();
  double x[3];
  const double weight = Element::quadrature_point(min(lane, n_points - 1), x);
  for (std::size_t e = std::size_t(blockIdx.x) * n_warps + warp; e < view.n_elements;
       e += std::size_t(gridDim.x) * n_warps)
    {
      const auto solid    = solids[e];
      const double lambda = solid.lambda, mu = solid.mu;
      const std::size_t own = view.connectivity[n * e + min(lane, n - 1)];
      if (lane < n)
        for (int i = 0; i < 3; ++i)
          coordinates[warp][lane][i] = view.coordinates[3 * own + i];
      __syncwarp();
      if (lane < n_points)
        {
          double J[3][3] = {}, inverse[3][3];
          for (int b = 0; b < n; ++b)
#pragma unroll
            for (int i = 0; i < 3; ++i)
#pragma unroll
              for (int d = 0; d < 3; ++d)
                J[i][d] += coordinates[warp][b][i] * slopes[lane][b][d];
          double *const to = of_warps[warp][lane];
          to[9]            = weight * hexahedron::invert(J, inverse);
#pragma unroll
          for (int d = 0; d < 3; ++d)
#pragma unroll
            for (int i = 0; i < 3; ++i)
              to[3 * d + i] = inverse[d][i];
        }
      __syncwarp();
      double block[3][3] = {};
      for (int q = 0; q < n_points; ++q)
        {
          const double *const at = of_warps[warp][q];
          double g[3];
#pragma unroll
          for (int i = 0; i < 3; ++i)
            {
              g[i] = 0;
#pragma unroll
              for (int d = 0; d < 3; ++d)
                g[i] += at[3 * d + i] * slopes[q][min(lane, n - 1)][d];
            }
          element_stiffness::add_block(g, g, at[9], lambda, mu, block);
        }
      double numbers[n_numbers];
      numbers_of(block, numbers);
      if (lane < n)
#pragma unroll
        for (int k = 0; k < n_numbers; ++k)
          if constexpr (forces == Forces::added)
            atomicAdd(out + n_numbers * own + k, static_cast<Number>(numbers[k]));
          else if (k / 3 == part)
            out[3 * (n * e + lane) + k % 3] = static_cast<Number>(numbers[k]);
    }
}
} // namespace strut::cuda
