// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/on_the_fly_tangents.cuh"
#include "source/mesh/patches.h"

#include <cstdint>

namespace strut::cuda
{
/// Computation of a patch of elements by a warp, one element per lane. The nodes of the patch are
/// copied into shared memory, each lane reads the eight of its element, and the sums return the
/// same way.
namespace patch
{
constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int warp_size          = 32;
constexpr int max_nodes          = static_cast<int>(Patches::max_nodes);

static_assert(sizeof(Patches::Patch) == 16 && Patches::max_elements == warp_size);

/// Unpacks a patch from its form in memory.
__device__ inline Patches::Patch patch_from(const uint4 words)
{
  return {words.x,
          words.y,
          static_cast<std::uint8_t>(words.z & 0xffu),
          static_cast<std::uint8_t>(words.z >> 8 & 0xffu),
          static_cast<std::uint8_t>(words.z >> 16 & 0xffu),
          words.w};
}

/// The patches as a kernel sees them, passed by value.
template <typename Number>
struct View
{
  const Patches::Patch *__restrict__ patches;
  const LocalIndex *__restrict__ nodes;   ///< `[n_slots]`
  const Number *__restrict__ coordinates; ///< `[n_slots][Vectors::stride]`; null if not needed
  const uint2 *__restrict__ vertices;     ///< eight numbers of slots of 8 bits each, see Patches
  const Number *__restrict__ stiffness;   ///< E_e, `[n_elements]`
  /// Lame's parameter of the elements, `[n_elements]`; null if there is one material.
  const Number *__restrict__ lambda;
  const Number *__restrict__ mu; ///< `[n_elements]`; null if there is one material
  std::size_t n_patches;
  TangentView<Number> tangents;

  __device__ Patches::Patch operator[](const std::size_t p) const
  {
    return patch_from(__ldg(reinterpret_cast<const uint4 *>(patches + p)));
  }
};

/// Copies 4, 8 or 16 bytes into shared memory. The lane must wait for the copy.
template <int bytes>
__device__ void copy_async(void *const to, const void *const from)
{
  const auto address = static_cast<unsigned int>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(address), "l"(from), "n"(bytes)
               : "memory");
}

/// Waits for the copies of all lanes.
__device__ inline void wait_for_copies()
{
  asm volatile("cp.async.wait_all;" : : : "memory");
  __syncwarp();
}

/// Three numbers for each node of a patch in shared memory. Float is padded to four, so that a node
/// is one access; double is not, since its banks would collide.
template <typename Number>
struct Vectors
{
  static constexpr int stride = 3;
  double values[stride * max_nodes];

  __device__ void fetch(const int s, const Number *const a)
  {
#pragma unroll
    for (int i = 0; i < 3; ++i)
      copy_async<sizeof(Number)>(values + stride * s + i, a + i);
  }
  __device__ void set(const int s, const Number (&a)[3])
  {
#pragma unroll
    for (int i = 0; i < 3; ++i)
      values[stride * s + i] = a[i];
  }
  __device__ void get(const int s, Number (&a)[3]) const
  {
#pragma unroll
    for (int i = 0; i < 3; ++i)
      a[i] = values[stride * s + i];
  }
};
/// Four numbers for each node of a patch in shared memory.
template <>
struct Vectors<float>
{
  static constexpr int stride = 4;
  alignas(16) float values[stride * max_nodes];

  /// Copy all four numbers at once.
  __device__ void fetch(const int s, const float *const a)
  {
    copy_async<16>(values + stride * s, a);
  }
  __device__ void set(const int s, const float (&a)[3])
  {
    reinterpret_cast<float4 *>(values)[s] = make_float4(a[0], a[1], a[2], 0.f);
  }
  __device__ void get(const int s, float (&a)[3]) const
  {
    const float4 b = reinterpret_cast<const float4 *>(values)[s];
    a[0]           = b.x;
    a[1]           = b.y;
    a[2]           = b.z;
  }
};

/// Number of lanes whose nodes shared memory serves at the same time: 128 bytes, 16 of a node in
/// float. In double there are 8, and the three numbers follow one after the other.
template <typename Number>
constexpr std::size_t n_banks = sizeof(Number) == 4 ? 8 : 16;

/// Returns the slot of vertex v of an element.
__device__ inline int slot_of(const uint2 vertices, const int v)
{
  return static_cast<int>((v < 4 ? vertices.x : vertices.y) >> (8 * (v % 4)) & 0xffu);
}

/// Reads the values of an element from those of the nodes.
template <typename Number, typename Local>
__device__ void gather(const Vectors<Number> &nodes, const uint2 vertices, Local (&local)[3][8])
{
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      Number a[3];
      nodes.get(slot_of(vertices, v), a);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        local[i][v] = static_cast<Local>(a[i]);
    }
}

/// Calls add() by all lanes that take part. Lanes with the same slot take turns, the lowest lane
/// first.
template <typename Add>
__device__ void in_turn(const int slot, const bool takes_part, const Add &add)
{
  const int lane           = static_cast<int>(threadIdx.x) % warp_size;
  const unsigned int equal = __match_any_sync(all_lanes, takes_part ? slot : max_nodes + lane);
  const int turn           = __popc(equal & ((1u << lane) - 1u));
  const int n_turns        = __reduce_max_sync(all_lanes, turn) + 1;
  for (int t = 0; t < n_turns; ++t)
    {
      if (takes_part && t == turn)
        add();
      __syncwarp();
    }
}

/// Adds the values of the elements to those of the nodes vertex by vertex, so that elements of one
/// orientation use different slots. Set `in_turns` if they may use the same, or if lanes have no
/// element.
template <typename Number>
__device__ void scatter(Vectors<Number> &nodes,
                        const uint2 vertices,
                        const bool in_turns,
                        const bool takes_part,
                        const Number (&local)[3][8])
{
  const auto add = [&](const int s, const int v) {
    Number a[3];
    nodes.get(s, a);
#pragma unroll
    for (int i = 0; i < 3; ++i)
      a[i] += local[i][v];
    nodes.set(s, a);
  };
  if (!in_turns)
    {
#pragma unroll
      for (int v = 0; v < 8; ++v)
        {
          add(slot_of(vertices, v), v);
          __syncwarp();
        }
      return;
    }
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      const int s = slot_of(vertices, v);
      in_turn(s, takes_part, [&]() { add(s, v); });
    }
}
} // namespace patch
} // namespace strut::cuda
