// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/parallel_loop.cuh"
#include "on_the_fly_elements.cuh"
#include "on_the_fly_patches.cuh"

namespace strut::cuda
{
namespace patch
{
constexpr int warps_a_block = 4; ///< that share nothing but the launch
constexpr int block_size    = warps_a_block * warp_size;

/// As many as fit without spilling registers: 128 of them in float, 255 in double.
template <typename Number>
constexpr int blocks_a_multiprocessor = sizeof(Number) == 4 ? 4 : 2;

/// Where the sums of the patches go.
enum class Sums
{
  added,  ///< to the vector, by atomic additions
  by_slot ///< stored, slot by slot, for sum_slots_kernel
};

/// What a warp keeps in shared memory.
template <typename Number, bool has_coordinates>
struct Shared
{
  Vectors<Number> values;
  Vectors<Number> coordinates;
  LocalIndex nodes[max_nodes];
};
template <typename Number>
struct Shared<Number, false>
{
  Vectors<Number> values;
  LocalIndex nodes[max_nodes];
};

/// The patch and the element of a lane.
struct Place
{
  Patches::Patch patch;
  bool has_element;
  std::size_t element; ///< in the order of the patches; lanes without one repeat the last
};

__device__ inline int lane_number()
{
  return static_cast<int>(threadIdx.x) % warp_size;
}

/// Number of this warp in a one-dimensional launch.
__device__ inline std::size_t warp_number()
{
  return std::size_t(blockIdx.x) * warps_a_block + threadIdx.x / warp_size;
}

__device__ inline Place place_of(const Patches::Patch &patch)
{
  const int lane = lane_number();
  return {patch,
          lane < patch.n_elements,
          patch.first_element + std::size_t(min(lane, patch.n_elements - 1))};
}

/// The nodes of a patch, their values of x and their coordinates come into shared memory.
template <typename Number, bool has_coordinates>
__device__ void load(const View<Number> &view,
                     const Patches::Patch &patch,
                     const Number *__restrict__ x,
                     Shared<Number, has_coordinates> &shared)
{
#pragma unroll
  for (int first = 0; first < max_nodes; first += warp_size)
    {
      const int s = first + lane_number();
      if (s < patch.n_slots)
        {
          LocalIndex node;
          if constexpr (has_coordinates)
            {
              const Slot<Number> slot = view.slot(std::size_t(patch.first_slot) + s);
              node                    = slot.node;
              shared.coordinates.set(s, slot.x);
            }
          else
            node = __ldg(view.nodes + std::size_t(patch.first_slot) + s);
          const Number *const at_node = x + 3 * std::size_t(node);
          const Number values[3]      = {__ldg(at_node), __ldg(at_node + 1), __ldg(at_node + 2)};
          shared.nodes[s]             = node;
          shared.values.set(s, values);
        }
    }
  __syncwarp();
}

/// Formula:   y = sum_e P_e^T E_e K0_e P_e x, for the elements of one patch after the other
/// Layout:    patch::View; x and y as vectors are, `[n_nodes][3]`
/// Threads:   a warp per patch, a lane per element; lanes along the numbers of the patch where it is
///            read and written. No barriers beyond the warp.
/// Bytes:     per element 8 of local connectivity and the factor; per slot (2.3 an element in blocks) 4
///            numbers of coordinates and node, 3 numbers of x and 3 of the sums; the slots of a node
///            meet in the caches, but for the sums by_slot
/// Flops:     per element about 1,850 (identical ones: 1,050)
/// Determinism: the sums of a patch, yes; added, they come in the order of the hardware
template <Sums sums, typename Number, typename Elements>
__global__ void __launch_bounds__(block_size, blocks_a_multiprocessor<Number>)
  apply_kernel(const View<Number> view,
               const __grid_constant__ Elements elements,
               const Number *__restrict__ x,
               Number *__restrict__ out)
{
  __shared__ Shared<Number, Elements::has_coordinates> of_warp[warps_a_block];
  auto &shared        = of_warp[threadIdx.x / warp_size];
  const std::size_t p = warp_number();
  if (p >= view.n_patches)
    return;
  const Place place    = place_of(view[p]);
  const uint2 vertices = __ldg(view.vertices + place.element);
  const Number factor  = __ldg(view.stiffness + place.element);
  load(view, place.patch, x, shared);

  Number X[3][8], u[3][8], f[3][8];
  if constexpr (Elements::has_coordinates)
    gather(shared.coordinates, vertices, X);
  gather(shared.values, vertices, u);
  elements.forces(factor, X, u, f);

  const int lane = lane_number();
  const int n    = 3 * place.patch.n_slots;
  __syncwarp();
  for (int s = lane; s < place.patch.n_slots; s += warp_size)
    shared.values.set(s, {Number(0), Number(0), Number(0)});
  __syncwarp();
  scatter(shared.values, vertices, place.patch.vertices_meet != 0, place.has_element, f);

  for (int i = lane; i < n; i += warp_size)
    {
      const int s        = i / 3;
      const int c        = i - 3 * s;
      const Number value = shared.values.values[Vectors<Number>::stride * s + c];
      if constexpr (sums == Sums::added)
        atomicAdd(out + 3 * std::size_t(shared.nodes[s]) + c, value);
      else
        out[3 * std::size_t(place.patch.first_slot) + i] = value;
    }
}

/// Formula:   y_n = sum of the slots of node n, ascending
/// Layout:    sums[n_slots][3]; the slots of the nodes in compressed rows
/// Threads:   one per DoF
/// Bytes:     per slot, 3 numbers and 4; per node, 4 and 3 numbers
/// Flops:     3 per slot
/// Determinism: every entry has one writer
template <typename Number>
__global__ void __launch_bounds__(loop_block_size)
  sum_slots_kernel(const std::size_t n_dofs,
                   const LocalIndex *__restrict__ begin,
                   const LocalIndex *__restrict__ slots,
                   const Number *__restrict__ sums,
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
  y[i] = sum;
}

/// Formula:   c_e = u_e^T K0_e u_e, as sum_v (u_v - u_0) . f_v: forces of an element cancel
/// Layout:    as apply_kernel; elements[n_elements], the numbers in the mesh, or null
/// Threads:   as apply_kernel
/// Bytes:     as apply_kernel, but 8 an element written instead of the sums
/// Flops:     as apply_kernel; the last 69 in double
/// Determinism: every entry has one writer
template <typename Number, typename Elements>
__global__ void __launch_bounds__(block_size, blocks_a_multiprocessor<Number>)
  energy_kernel(const View<Number> view,
                const __grid_constant__ Elements elements,
                const LocalIndex *__restrict__ numbers,
                const Number *__restrict__ x,
                double *__restrict__ energies)
{
  __shared__ Shared<Number, Elements::has_coordinates> of_warp[warps_a_block];
  auto &shared        = of_warp[threadIdx.x / warp_size];
  const std::size_t p = warp_number();
  if (p >= view.n_patches)
    return;
  const Place place    = place_of(view[p]);
  const uint2 vertices = __ldg(view.vertices + place.element);
  load(view, place.patch, x, shared);

  Number X[3][8], u[3][8], f[3][8];
  if constexpr (Elements::has_coordinates)
    gather(shared.coordinates, vertices, X);
  gather(shared.values, vertices, u);
  elements.forces(Number(1), X, u, f);
  double energy = 0;
#pragma unroll
  for (int v = 1; v < 8; ++v)
    {
      Number at_v[3], at_0[3]; // again, rather than 24 registers kept
      shared.values.get(slot_of(vertices, v), at_v);
      shared.values.get(slot_of(vertices, 0), at_0);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        energy += (static_cast<double>(at_v[i]) - static_cast<double>(at_0[i])) *
                  static_cast<double>(f[i][v]);
    }
  if (place.has_element)
    energies[numbers == nullptr ? place.element : numbers[place.element]] = energy;
}
} // namespace patch
} // namespace strut::cuda
