// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/element_sizes.h"

#include <algorithm>

#include "source/element/vertex_lanes.h"

namespace strut
{
namespace
{
using Lanes = double[VertexLanes::n_lanes];

void lower_all(Lanes &lanes, const Lanes &values)
{
#pragma omp simd
  for (std::size_t l = 0; l < VertexLanes::n_lanes; ++l)
    lanes[l] = values[l] < lanes[l] ? values[l] : lanes[l];
}

void raise_all(Lanes &lanes, const Lanes &values)
{
#pragma omp simd
  for (std::size_t l = 0; l < VertexLanes::n_lanes; ++l)
    lanes[l] = values[l] > lanes[l] ? values[l] : lanes[l];
}

/// The bounding boxes and edges of elements by lanes.
struct SizesOfLanes
{
  SizesOfLanes()
  {
    for (std::size_t d = 0; d < 3; ++d)
      {
        std::fill(std::begin(lower[d]), std::end(lower[d]), ElementSizes::nothing);
        std::fill(std::begin(upper[d]), std::end(upper[d]), -ElementSizes::nothing);
      }
    std::fill(std::begin(shortest_sqr), std::end(shortest_sqr), ElementSizes::nothing);
  }

  void add(const VertexLanes &vertices)
  {
    for (std::size_t d = 0; d < 3; ++d)
      for (const Lanes &places : vertices.at[d])
        {
          lower_all(lower[d], places);
          raise_all(upper[d], places);
        }
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t w = v + 1; w < 8; ++w)
        if (const std::size_t bits = v ^ w;
            (bits & (bits - 1)) == 0) // v and w differ in one direction
          {
            Lanes sqr;
#pragma omp simd
            for (std::size_t l = 0; l < VertexLanes::n_lanes; ++l)
              {
                const double x = vertices.at[0][v][l] - vertices.at[0][w][l],
                             y = vertices.at[1][v][l] - vertices.at[1][w][l],
                             z = vertices.at[2][v][l] - vertices.at[2][w][l];
                sqr[l]         = x * x + y * y + z * z;
              }
            lower_all(shortest_sqr, sqr);
            raise_all(longest_sqr, sqr);
          }
  }

  Lanes lower[3], upper[3], shortest_sqr, longest_sqr = {};
};
} // namespace

ElementSizes
ElementSizes::of(const ElementMesh &mesh, const std::size_t begin, const std::size_t end)
{
  SizesOfLanes of_lanes;
  for (std::size_t first = begin; first < end; first += VertexLanes::n_lanes)
    of_lanes.add(VertexLanes(mesh, first, std::min(VertexLanes::n_lanes, end - first)));

  const auto least = [](const Lanes &lanes) {
    return *std::min_element(std::begin(lanes), std::end(lanes));
  };
  const auto largest = [](const Lanes &lanes) {
    return *std::max_element(std::begin(lanes), std::end(lanes));
  };
  ElementSizes sizes;
  for (std::size_t d = 0; d < 3; ++d)
    {
      sizes.lower[d] = least(of_lanes.lower[d]);
      sizes.upper[d] = largest(of_lanes.upper[d]);
    }
  sizes.shortest_sqr = least(of_lanes.shortest_sqr);
  sizes.longest_sqr  = largest(of_lanes.longest_sqr);
  for (std::size_t e = begin; e < end; ++e)
    {
      sizes.volume += mesh.volumes[e];
      sizes.smallest = std::min(sizes.smallest, mesh.volumes[e]);
    }
  return sizes;
}

void ElementSizes::add(const ElementSizes &others)
{
  volume += others.volume;
  for (std::size_t d = 0; d < 3; ++d)
    {
      lower[d] = std::min(lower[d], others.lower[d]);
      upper[d] = std::max(upper[d], others.upper[d]);
    }
  shortest_sqr = std::min(shortest_sqr, others.shortest_sqr);
  longest_sqr  = std::max(longest_sqr, others.longest_sqr);
  smallest     = std::min(smallest, others.smallest);
}
} // namespace strut
