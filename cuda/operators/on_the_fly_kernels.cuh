// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/on_the_fly_elements.cuh"
#include "cuda/operators/on_the_fly_patches.cuh"

#include <type_traits>

namespace strut::cuda
{
namespace patch
{
constexpr int block_size = warp_size; ///< one warp, as warps share nothing

/// Resident blocks of a multiprocessor: as many as registers and shared memory allow without
/// spilling, but for 4 bytes of general elements in double. Registers are 128 for general elements
/// in float, and 255 in double or with incompatible modes.
template <typename Number, typename Elements>
constexpr int blocks_per_multiprocessor = Elements::has_coordinates
                                            ? (sizeof(Number) == 8 || Elements::is_heavy ? 8 : 16)
                                            : (sizeof(Number) == 4 ? 24 : 12);

/// Destination of the sums of the patches.
enum class Sums
{
  added,  ///< added to the vector, by atomic additions
  by_slot ///< stored, slot by slot, for sum_slots_kernel
};

/// The patch and the element of a lane.
struct Place
{
  Patches::Patch patch;
  bool has_element;
  /// Index in the order of the patches; lanes without an element repeat the last.
  std::size_t element;
  std::size_t vertices; ///< index of its vertices
};

__device__ inline int lane_number()
{
  return static_cast<int>(threadIdx.x) % warp_size;
}

__device__ inline Place place_of(const Patches::Patch &patch)
{
  const int lane        = lane_number();
  const std::size_t own = static_cast<std::size_t>(min(lane, patch.n_elements - 1));
  return {patch, lane < patch.n_elements, patch.first_element + own, patch.first_vertices + own};
}

/// Returns the address of the three numbers of a node in a vector, by one multiplication of 32 bits
/// into 64.
template <typename Number>
__device__ Number *of_node(Number *const vector, const LocalIndex node)
{
  using Byte = std::conditional_t<std::is_const<Number>::value, const char, char>;
  return reinterpret_cast<Number *>(reinterpret_cast<Byte *>(vector) +
                                    std::uint64_t(node) * (3 * sizeof(Number)));
}

/// Data of the elements of a patch in shared memory: a factor for each.
template <typename Number, Own own>
struct ElementNumbers
{
  Number stiffness[warp_size];

  __device__ void fetch(const View<Number> &view, const int lane, const std::size_t element)
  {
    copy_async<sizeof(Number)>(stiffness + lane, view.stiffness + element);
  }
  __device__ Number get(const View<Number> &, const int lane) const
  {
    return stiffness[lane];
  }
};
/// Data of the elements of a patch in shared memory: Lame's parameters.
template <typename Number>
struct ElementNumbers<Number, Own::lame>
{
  Number lambda[warp_size], mu[warp_size];

  __device__ void fetch(const View<Number> &view, const int lane, const std::size_t element)
  {
    copy_async<sizeof(Number)>(lambda + lane, view.lambda + element);
    copy_async<sizeof(Number)>(mu + lane, view.mu + element);
  }
  __device__ hexahedron::on_the_fly::WeightedMaterial<Number> get(const View<Number> &,
                                                                  const int lane) const
  {
    using Weighted    = hexahedron::on_the_fly::WeightedMaterial<Number>;
    const auto weight = static_cast<Number>(Weighted::weight());
    return {weight * lambda[lane], weight * mu[lane]};
  }
};
/// Tangents, which are too large for shared memory. They are read from the L2 cache, or from L1
/// where an element has one.
template <typename Number>
struct ElementNumbers<Number, Own::tangents>
{
  LocalIndex elements[warp_size];

  __device__ void fetch(const View<Number> &view, const int lane, const std::size_t element)
  {
    elements[lane] = static_cast<LocalIndex>(element);
    view.tangents.prefetch(element, 0, lane);
  }
  __device__ LaneTangents<Number> get(const View<Number> &view, const int lane) const
  {
    return {view.tangents, elements[lane]};
  }
};

/// The data of the elements of a patch, in shared memory.
template <typename Number, bool has_coordinates, Own own>
struct Stage
{
  Vectors<Number> values; ///< values of x, later the sums
  Vectors<Number> coordinates;
  uint2 vertices[warp_size];
  ElementNumbers<Number, own> numbers;
};
template <typename Number>
struct Stage<Number, false, Own::factor>
{
  Vectors<Number> values;
  uint2 vertices[warp_size];
  ElementNumbers<Number, Own::factor> numbers;
};

/// A vector `[n_nodes][3]` that a kernel reads. It has the type Number, or float for Number =
/// double. Then its numbers are copied into the first halves of the places of Number in shared
/// memory.
template <typename Number>
struct Input
{
  const void *__restrict__ values;
  bool in_float;

  __device__ bool is_in_float() const
  {
    return sizeof(Number) == 8 && in_float; // For float the compiler knows this.
  }
};

/// The shared memory of a warp. It computes patch i of its own and fetches data of the next ones:
/// all data of one patch, the nodes of two, the heading of three.
template <typename Number, typename Elements>
struct Pipeline
{
  static constexpr bool has_coordinates = Elements::has_coordinates;
  Stage<Number, has_coordinates, Elements::own> stages[2];
  LocalIndex nodes[3][max_nodes];
  alignas(16) uint4 headings[4];

  __device__ Patches::Patch patch(const int i) const
  {
    return patch_from(headings[i % 4]);
  }

  __device__ void fetch_heading(const View<Number> &view, const std::size_t p, const int i)
  {
    if (lane_number() == 0 && p < view.n_patches)
      copy_async<16>(headings + i % 4, view.patches + p);
  }

  __device__ void fetch_nodes(const View<Number> &view, const std::size_t p, const int i)
  {
    if (p >= view.n_patches)
      return;
    const Patches::Patch patch   = this->patch(i);
    const int lane               = lane_number();
    const LocalIndex *const from = view.nodes + patch.first_slot + lane;
#pragma unroll
    for (int first = 0; first < max_nodes; first += warp_size)
      if (first + lane < patch.n_slots)
        copy_async<4>(nodes[i % 3] + first + lane, from + first);
  }

  /// Fetch the data of a patch, whose nodes must be present.
  __device__ void
  fetch_stage(const View<Number> &view, const Input<Number> &x, const std::size_t p, const int i)
  {
    constexpr int stride = Vectors<Number>::stride;
    if (p >= view.n_patches)
      return;
    const Place place = place_of(patch(i));
    const int lane    = lane_number();
    auto &stage       = stages[i % 2];
    copy_async<8>(stage.vertices + lane, view.vertices + place.vertices);
    stage.numbers.fetch(view, lane, place.element);
    const std::size_t slot = std::size_t(place.patch.first_slot) + lane;
#pragma unroll
    for (int first = 0; first < max_nodes; first += warp_size)
      {
        const int s = first + lane;
        if (s < place.patch.n_slots)
          {
            if constexpr (has_coordinates)
              stage.coordinates.fetch(s, view.coordinates + stride * slot + stride * first);
            const auto fetch = [&](const auto *const at_node) {
#pragma unroll
              for (int c = 0; c < 3; ++c)
                copy_async<sizeof(*at_node)>(stage.values.values + stride * s + c, at_node + c);
            };
            const LocalIndex node = nodes[i % 3][s];
            if (x.is_in_float())
              fetch(of_node(static_cast<const float *>(x.values), node));
            else
              fetch(of_node(static_cast<const Number *>(x.values), node));
          }
      }
  }
};

/// Converts numbers of x that were copied in float to Number, in place in shared memory.
template <typename Number>
__device__ void widen(Vectors<Number> &values, const int n_slots)
{
  static_assert(sizeof(Number) == 8, "those in float are where they belong");
  for (int k = lane_number(); k < Vectors<Number>::stride * n_slots; k += warp_size)
    values.values[k] = static_cast<Number>(__int_as_float(__double2loint(values.values[k])));
  __syncwarp();
}

/// Formula:   y = sign sum_e P_e^T E_e K0_e P_e x, for the elements of one patch after the other;
///            or with `lambda_e K_lambda,e + mu_e K_mu,e` for E_e K0_e, or with tangents
///            `sum_q w_q B_q^T C_q B_q`.
/// Layout:    patch::View; x and y `[n_nodes][3]`; for Number = double x may be in float.
/// Threads:   a warp for each of many patches, a lane per element; lanes along the numbers of the
///            patch where it is read and written. While it computes, the data of the next patches
///            are copied. No barriers beyond the warp.
/// Bytes:     per element the factor, two numbers, or 21 numbers of each tangent, and 8 of local
///            connectivity, from the caches where patches have few patterns; per slot (2.3 per
///            element in blocks) 4 numbers of coordinates and node, 3 numbers of x (12 bytes in
///            float) and 3 of the sums; slots of one node share the caches, except for the sums
///            by_slot.
/// Flops:     per element about 1,850 (identical ones: 1,050; with incompatible modes: 3,430, and
///            in double 216 for vertices that are gathered twice; with tangents: 2,370).
/// Determinism: the sums of a patch are deterministic; atomics add them in the order of the
///            hardware.
template <Sums sums, typename Number, typename Elements>
__global__ void __launch_bounds__(block_size, blocks_per_multiprocessor<Number, Elements>)
  apply_kernel(const View<Number> view,
               const __grid_constant__ Elements elements,
               const Number sign,
               const Input<Number> x,
               Number *__restrict__ out)
{
  __shared__ Pipeline<Number, Elements> pipeline;
  __shared__ typename Elements::Values of_points;
  const int lane           = lane_number();
  const std::size_t stride = gridDim.x;
  std::size_t p            = blockIdx.x;
  for (int i = 0; i < 3; ++i)
    pipeline.fetch_heading(view, p + i * stride, i);
  wait_for_copies();
  pipeline.fetch_nodes(view, p, 0);
  pipeline.fetch_nodes(view, p + stride, 1);
  wait_for_copies();
  pipeline.fetch_stage(view, x, p, 0);

#pragma unroll 1
  for (int i = 0; p < view.n_patches; ++i, p += stride)
    {
      wait_for_copies();
      pipeline.fetch_stage(view, x, p + stride, i + 1);
      pipeline.fetch_nodes(view, p + 2 * stride, i + 2);
      pipeline.fetch_heading(view, p + 3 * stride, i + 3);

      auto &stage             = pipeline.stages[i % 2];
      Vectors<Number> &values = stage.values;
      if constexpr (sizeof(Number) == 8)
        if (x.is_in_float())
          widen(values, pipeline.patch(i).n_slots);
      {
        const uint2 vertices = stage.vertices[lane];
        Number u[3][8], f[3][8];
        gather(values, vertices, u);
        const auto gather_vertices = [&](auto &X) {
          if constexpr (Elements::has_coordinates)
            gather(stage.coordinates, vertices, X);
        };
        elements.forces(stage.numbers.get(view, lane), gather_vertices, u, f, of_points);
        __syncwarp();
        const Patches::Patch patch = pipeline.patch(i);
#pragma unroll
        for (int s = lane; s < max_nodes; s += warp_size)
          values.set(s, {Number(0), Number(0), Number(0)});
        __syncwarp();
        scatter(values,
                vertices,
                patch.vertices_meet != 0 || patch.n_elements < warp_size,
                lane < patch.n_elements,
                f);
      }

      const Patches::Patch patch = pipeline.patch(i);
      Number *const of_patch     = out + 3 * std::size_t(patch.first_slot) + lane;
#pragma unroll
      for (int first = 0; first < max_nodes; first += warp_size)
        {
          if (first >= patch.n_slots)
            break;
            // The numbers of 32 slots are three for each lane.
#pragma unroll
          for (int k = 0; k < 3; ++k)
            {
              const int in_slots = warp_size * k + lane;
              const int s        = first + in_slots / 3;
              const int c        = in_slots % 3;
              if (s >= patch.n_slots)
                continue;
              const Number value = sign * values.values[Vectors<Number>::stride * s + c];
              if constexpr (sums == Sums::added)
                atomicAdd(of_node(out, pipeline.nodes[i % 3][s]) + c, value);
              else
                of_patch[3 * first + warp_size * k] = value;
            }
        }
      __syncwarp();
    }
}

/// Formula:   y_n = sum of the slots of node n, ascending.
/// Layout:    sums[n_slots][3]; y[n_nodes][stride]; the slots of the nodes in compressed rows.
/// Threads:   one per DoF.
/// Bytes:     per slot, 3 numbers and 4; per node, 4 and 3 numbers.
/// Flops:     3 per slot.
/// Determinism: every entry has one writer.
template <typename Number>
__global__ void __launch_bounds__(loop_block_size)
  sum_slots_kernel(const std::size_t n_dofs,
                   const LocalIndex *__restrict__ begin,
                   const LocalIndex *__restrict__ slots,
                   const Number *__restrict__ sums,
                   const std::size_t stride,
                   Number *__restrict__ y)
{
  const std::size_t i = thread_number();
  if (i >= n_dofs)
    return;
  const std::size_t n  = i / 3;
  const std::size_t c  = i - 3 * n;
  const LocalIndex end = begin[n + 1];
  Number sum           = 0;
  for (LocalIndex k = begin[n]; k < end; ++k)
    sum += sums[3 * std::size_t(slots[k]) + c];
  y[stride * n + c] = sum;
}

/// The factors of K0 for energies, by an element's number in the mesh: its size relative to element
/// 0. Null for equal sizes.
template <typename Number>
struct SizeOf
{
  const Number *__restrict__ sizes;

  __device__ Number operator()(const std::size_t number, std::size_t) const
  {
    return sizes == nullptr ? Number(1) : sizes[number];
  }
};
/// Lame's parameters for energies, by the number of an element in the mesh.
template <typename Number>
struct LameOf
{
  const double *__restrict__ lambda;
  const double *__restrict__ mu;

  __device__ hexahedron::on_the_fly::WeightedMaterial<Number> operator()(const std::size_t number,
                                                                         std::size_t) const
  {
    using Weighted = hexahedron::on_the_fly::WeightedMaterial<Number>;
    return {static_cast<Number>(Weighted::weight() * lambda[number]),
            static_cast<Number>(Weighted::weight() * mu[number])};
  }
};

/// Tangents for energies, by the number of an element in the order of the patches.
template <typename Number>
struct TangentsOf
{
  TangentView<Number> tangents;

  __device__ LaneTangents<Number> operator()(std::size_t, const std::size_t element) const
  {
    return {tangents, element};
  }
};

/// Formula:   c_e = u_e^T K0_e u_e, as sum_v (u_v - u_0) . f_v, since the forces of an element add
///            up to zero.
/// Layout:    as apply_kernel; numbers[n_elements]: numbers of the elements in the mesh, or null;
///            numbers_of, a SizeOf, a LameOf or a TangentsOf.
/// Threads:   as apply_kernel.
/// Bytes:     as apply_kernel, but 8 per element written instead of the sums.
/// Flops:     as apply_kernel; the last 69 in double.
/// Determinism: every entry has one writer.
template <typename Number, typename Elements, typename NumbersOf>
__global__ void __launch_bounds__(block_size, blocks_per_multiprocessor<Number, Elements>)
  energy_kernel(const View<Number> view,
                const __grid_constant__ Elements elements,
                const LocalIndex *__restrict__ numbers,
                const NumbersOf numbers_of,
                const Number *__restrict__ x,
                double *__restrict__ energies)
{
  __shared__ Pipeline<Number, Elements> pipeline;
  __shared__ typename Elements::Values of_points;
  const std::size_t p = blockIdx.x;
  pipeline.fetch_heading(view, p, 0);
  wait_for_copies();
  pipeline.fetch_nodes(view, p, 0);
  wait_for_copies();
  pipeline.fetch_stage(view, {x, false}, p, 0);
  wait_for_copies();
  const Place place        = place_of(pipeline.patch(0));
  const auto &stage        = pipeline.stages[0];
  const auto &values       = stage.values;
  const uint2 vertices     = stage.vertices[lane_number()];
  const std::size_t number = numbers == nullptr ? place.element : numbers[place.element];

  Number u[3][8], f[3][8];
  gather(values, vertices, u);
  const auto gather_vertices = [&](auto &X) {
    if constexpr (Elements::has_coordinates)
      gather(stage.coordinates, vertices, X);
  };
  elements.forces(numbers_of(number, place.element), gather_vertices, u, f, of_points);
  double energy = 0;
#pragma unroll
  for (int v = 1; v < 8; ++v)
    {
      Number at_v[3], at_0[3]; // They are read again rather than kept in 24 registers.
      values.get(slot_of(vertices, v), at_v);
      values.get(slot_of(vertices, 0), at_0);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        energy += (static_cast<double>(at_v[i]) - static_cast<double>(at_0[i])) *
                  static_cast<double>(f[i][v]);
    }
  if (place.has_element)
    energies[number] = energy;
}
} // namespace patch
} // namespace strut::cuda
