// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/on_the_fly_kernels.cuh"

#include <vector>

namespace strut::cuda
{
namespace patch
{
constexpr int n_blocks_of_vertex = 6; ///< xx, xy, xz, yy, yz, zz

/// Vertices of an element, `[3][8]`, of which all elements are copies.
struct Shape
{
  double X[3][8];
};

/// The blocks of K0 at the vertices of elements of one shape, which are arguments of the kernel.
struct BlocksOfShape
{
  static constexpr bool has_coordinates = false;

  BlocksOfShape(const Shape &shape, const Material &material)
  {
    hexahedron::on_the_fly::stiffness_blocks(material, shape.X, of);
  }

  double of[n_blocks_of_vertex][8];
};

/// The blocks of K0 at the vertices of elements with coordinates.
template <Own own>
struct BlocksOfElements
{
  static constexpr bool has_coordinates = true;

  Material material;

  template <typename Number>
  __device__ void evaluate(const View<Number> &view,
                           const std::size_t element,
                           const double (&X)[3][8],
                           double (&blocks)[n_blocks_of_vertex][8]) const
  {
    using namespace hexahedron::on_the_fly;
    if constexpr (own == Own::tangents)
      stiffness_blocks(TangentSolid<LaneTangents<Number>>{{view.tangents, element}}, X, blocks);
    else if constexpr (own == Own::lame)
      stiffness_blocks(LameSolid{static_cast<double>(view.lambda[element]),
                                 static_cast<double>(view.mu[element]),
                                 material.formulation},
                       X,
                       blocks);
    else
      stiffness_blocks(material, X, blocks);
  }
};

/// Whether patches that share nodes are processed at the same time.
enum class Meeting
{
  atomics, ///< patches may share nodes: numbers are added by atomic additions
  none     ///< patches share no nodes, as those of one colour
};

/// Formula:   D_n += sum_e E_e (K0_e)_vv over the elements of a patch, v the vertex of e that is
///            node n: all six numbers of the symmetric block, or its diagonal; with Lame's
///            parameters or tangents these are multiplied by E_e.
/// Layout:    patch::View; out[n_nodes][6] or [n_nodes][3]; patches: numbers of the patches to
///            process; null for all.
/// Threads:   a warp per patch, a lane per element.
/// Bytes:     per element the factor and up to 8 of local connectivity; per slot 4 numbers, 6 or 3
///            read and written.
/// Flops:     per element about 4,500 in double, for any Number; 96 where all have one shape.
/// Determinism: lanes in a fixed order; colours one launch after the other; none by atomics.
template <int n_numbers, Meeting meeting, typename Number, typename Blocks>
__global__ void __launch_bounds__(warp_size)
  diagonal_kernel(const View<Number> view,
                  const __grid_constant__ Blocks blocks_of,
                  const LocalIndex *__restrict__ patches,
                  Number *__restrict__ out)
{
  static_assert(n_numbers == n_blocks_of_vertex || n_numbers == 3);
  __shared__ double sums[max_nodes][n_blocks_of_vertex];
  __shared__ LocalIndex nodes[max_nodes];
  const Place place    = place_of(view[patches == nullptr ? blockIdx.x : patches[blockIdx.x]]);
  const uint2 vertices = view.vertices[place.vertices];
  const double factor  = static_cast<double>(view.stiffness[place.element]);
  if (!__any_sync(all_lanes, factor != 0.)) // The patch is outside of the structure.
    return;
  for (int s = lane_number(); s < place.patch.n_slots; s += warp_size)
    {
      for (double &sum : sums[s])
        sum = 0.;
      nodes[s] = view.nodes[std::size_t(place.patch.first_slot) + s];
    }
  const auto add = [&](const auto &blocks) {
#pragma unroll
    for (int v = 0; v < 8; ++v)
      {
        const int s = slot_of(vertices, v);
        in_turn(s, place.has_element, [&]() {
#pragma unroll
          for (int k = 0; k < n_blocks_of_vertex; ++k)
            sums[s][k] += factor * blocks[k][v];
        });
      }
  };
  if constexpr (Blocks::has_coordinates)
    {
      __shared__ Vectors<Number> coordinates;
      for (int s = lane_number(); s < place.patch.n_slots; s += warp_size)
        {
          const Number *const from =
            view.coordinates + Vectors<Number>::stride * (std::size_t(place.patch.first_slot) + s);
          coordinates.set(s, {from[0], from[1], from[2]});
        }
      __syncwarp();
      double X[3][8], blocks[n_blocks_of_vertex][8];
      gather(coordinates, vertices, X);
      blocks_of.evaluate(view, place.element, X, blocks);
      add(blocks);
    }
  else
    {
      __syncwarp();
      add(blocks_of.of);
    }

  // Adjacent lanes have adjacent numbers.
  for (int k = lane_number(); k < n_numbers * place.patch.n_slots; k += warp_size)
    {
      const int s = k / n_numbers, i = k % n_numbers;
      // Index of xx, yy or zz.
      const int of_block = n_numbers == n_blocks_of_vertex ? i : i * (7 - i) / 2;
      const auto sum     = static_cast<Number>(sums[s][of_block]);
      Number *const to   = out + (n_numbers * std::size_t(nodes[s]) + i);
      if constexpr (meeting == Meeting::atomics)
        atomicAdd(to, sum);
      else
        *to += sum;
    }
}

/// Adds the diagonal of all patches of the view at the same time.
/// @param out  zeros
template <int n_numbers, typename Number, typename Blocks>
void add_diagonal(const Context &context,
                  const View<Number> &view,
                  const Blocks &blocks,
                  Array<Number> &out)
{
  if (view.n_patches == 0)
    return;
  diagonal_kernel<n_numbers, Meeting::atomics>
    <<<static_cast<unsigned int>(view.n_patches), warp_size, 0, context.activate()>>>(view,
                                                                                      blocks,
                                                                                      nullptr,
                                                                                      out.data());
  STRUT_CUDA_CHECK_LAUNCH("diagonal_kernel");
}

/// Adds the diagonal of one colour after the other.
/// @param colours  begin of each colour in `patches`, and the end
template <int n_numbers, typename Number, typename Blocks>
void add_diagonal(const Context &context,
                  const View<Number> &view,
                  const Blocks &blocks,
                  const std::vector<LocalIndex> &colours,
                  const Array<LocalIndex> &patches,
                  Array<Number> &out)
{
  for (std::size_t c = 0; c + 1 < colours.size(); ++c)
    {
      diagonal_kernel<n_numbers, Meeting::none>
        <<<colours[c + 1] - colours[c], warp_size, 0, context.activate()>>>(
          view, blocks, patches.data() + colours[c], out.data());
      STRUT_CUDA_CHECK_LAUNCH("diagonal_kernel");
    }
}
} // namespace patch
} // namespace strut::cuda
