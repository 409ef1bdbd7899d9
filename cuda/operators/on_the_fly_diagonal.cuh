// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/on_the_fly_kernels.cuh"

namespace strut::cuda
{
namespace patch
{
constexpr int n_blocks_of_vertex = 6; ///< xx, xy, xz, yy, yz, zz

/// Vertices of an element whose copies all elements are, `[3][8]`.
struct Shape
{
  double X[3][8];
};

/// Formula:   D_n += sum_e E_e (K0_e)_vv over the elements of a patch, v the vertex of e that is node n:
///            all six numbers of the symmetric block, or its diagonal; of Lame's parameters or tangents, times E_e
/// Layout:    patch::View; out[n_nodes][6] or [n_nodes][3]; patches, the numbers of those to do
/// Threads:   a warp per patch, a lane per element; patches that share no node at a time
/// Bytes:     per element the factor and up to 8 of local connectivity; per slot 4 numbers, 6 or 3 read and
///            written
/// Flops:     per element about 4,500 in double, whatever the Number
/// Determinism: lanes in a fixed order, patches one launch after the other
template <int n_numbers, Own own, typename Number>
__global__ void __launch_bounds__(warp_size) diagonal_kernel(const View<Number> view,
                                                             const __grid_constant__ Shape shape,
                                                             const Material material,
                                                             const LocalIndex *__restrict__ patches,
                                                             Number *__restrict__ out)
{
  __shared__ double sums[max_nodes][n_blocks_of_vertex];
  __shared__ Vectors<Number> coordinates;
  __shared__ LocalIndex nodes[max_nodes];
  const Place place    = place_of(view[patches[blockIdx.x]]);
  const uint2 vertices = view.vertices[place.vertices];
  const double factor  = static_cast<double>(view.stiffness[place.element]);
  if (!__any_sync(all_lanes, factor != 0.)) // outside of the structure
    return;
  const bool has_shape = view.coordinates == nullptr;
  for (int s = lane_number(); s < place.patch.n_slots; s += warp_size)
    {
      const std::size_t slot = std::size_t(place.patch.first_slot) + s;
      for (double &sum : sums[s])
        sum = 0.;
      nodes[s] = view.nodes[slot];
      if (!has_shape)
        {
          const Number *const from = view.coordinates + Vectors<Number>::stride * slot;
          coordinates.set(s, {from[0], from[1], from[2]});
        }
    }
  __syncwarp();

  double X[3][8], blocks[n_blocks_of_vertex][8];
  if (has_shape)
    {
#pragma unroll
      for (int v = 0; v < 8; ++v)
        for (int i = 0; i < 3; ++i)
          X[i][v] = shape.X[i][v];
    }
  else
    gather(coordinates, vertices, X);
  if constexpr (own == Own::tangents)
    hexahedron::on_the_fly::stiffness_blocks(
      hexahedron::on_the_fly::TangentSolid<LaneTangents<Number>>{{view.tangents, place.element}},
      X,
      blocks);
  else if constexpr (own == Own::lame)
    hexahedron::on_the_fly::stiffness_blocks(
      hexahedron::on_the_fly::LameSolid{static_cast<double>(view.lambda[place.element]),
                                        static_cast<double>(view.mu[place.element]),
                                        material.has_mean_dilatation()},
      X,
      blocks);
  else
    hexahedron::on_the_fly::stiffness_blocks(material, X, blocks);

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
  for (int s = lane_number(); s < place.patch.n_slots; s += warp_size)
    {
      Number *const of_node = out + n_numbers * std::size_t(nodes[s]);
      if constexpr (n_numbers == n_blocks_of_vertex)
        for (int k = 0; k < n_blocks_of_vertex; ++k)
          of_node[k] += static_cast<Number>(sums[s][k]);
      else
        {
          of_node[0] += static_cast<Number>(sums[s][0]);
          of_node[1] += static_cast<Number>(sums[s][3]);
          of_node[2] += static_cast<Number>(sums[s][5]);
        }
    }
}
} // namespace patch
} // namespace strut::cuda
