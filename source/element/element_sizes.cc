// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/element_sizes.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "source/base/filled_vector.h"
#include "source/element/element_stiffness.h"
#include "source/element/elements.h"
#include "source/element/hexahedron.h"

namespace strut
{
namespace
{
/// Elements at a time: each has a lane in the loops over elements.
constexpr std::size_t n_lanes = 8;
using Lanes                   = double[n_lanes];

/// The vertices of consecutive elements, for loops in which each element has a lane.
struct VertexLanes
{
  /// `[direction][vertex][lane]`
  double at[3][8][n_lanes];

  /// @param n  number of elements, 1 to n_lanes; the remaining lanes repeat the last one
  VertexLanes(const ElementMesh &mesh, const std::size_t first, const std::size_t n)
  {
    if (n == n_lanes)
      fill(mesh, first, [](const std::size_t lane) { return lane; });
    else
      fill(mesh, first, [n](const std::size_t lane) { return std::min(lane, n - 1); });
  }

private:
  template <typename ElementOfLane>
  void fill(const ElementMesh &mesh, const std::size_t first, const ElementOfLane &element_of)
  {
    const double *const x = mesh.coordinates.data(), *const y = x + mesh.n_nodes,
                        *const z = y + mesh.n_nodes;
    for (std::size_t v = 0; v < 8; ++v) // those that a tetrahedron lacks repeat the last one
      {
        const std::size_t local       = std::min<std::size_t>(v, mesh.type.n_vertices - 1);
        const LocalIndex *const nodes = &mesh.connectivity[local * mesh.n_elements + first];
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
          {
            const std::size_t node = nodes[element_of(lane)];
            at[0][v][lane]         = x[node];
            at[1][v][lane]         = y[node];
            at[2][v][lane]         = z[node];
          }
      }
  }
};

/// Number of lines of quadrature points in a direction. Derivatives in that direction are constant
/// on a line.
constexpr std::size_t n_lines = 4;

/// The line along direction d that contains quadrature point q, from its bits in the other
/// directions.
constexpr std::size_t line_of(const std::size_t q, const std::size_t d)
{
  return (q & ((1u << d) - 1)) | (q >> (d + 1) << d);
}

/// Derivatives of the shape functions by direction, vertex and line.
struct ReferenceGradients
{
  ReferenceGradients()
  {
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        for (int q = 0; q < 8; ++q)
          on_line[d][v][line_of(static_cast<std::size_t>(q), static_cast<std::size_t>(d))] =
            hexahedron::reference_gradient(v,
                                           d,
                                           hexahedron::gauss_point(q & 1),
                                           hexahedron::gauss_point(q >> 1 & 1),
                                           hexahedron::gauss_point(q >> 2));
  }

  double on_line[3][8][n_lines];
};

/// Computes the volumes of up to n_lanes elements from `first` on, with the sums of
/// hexahedron::gradients().
///
/// @return the number of elements whose Jacobian is not positive at some quadrature point
std::size_t compute_some(const ReferenceGradients &gradients,
                         ElementMesh &mesh,
                         const std::size_t first,
                         const std::size_t n)
{
  const VertexLanes vertices(mesh, first, n);
  double J[3][n_lines][3][n_lanes]; // [d][line][i]: dx_i / dxi_d
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t line = 0; line < n_lines; ++line)
      for (std::size_t i = 0; i < 3; ++i)
        {
          double sum[n_lanes] = {};
          for (std::size_t v = 0; v < 8; ++v)
#pragma omp simd
            for (std::size_t l = 0; l < n_lanes; ++l)
              sum[l] += vertices.at[i][v][l] * gradients.on_line[d][v][line];
          std::copy_n(sum, n_lanes, J[d][line][i]);
        }
  double volume[n_lanes] = {}, least[n_lanes];
  std::fill_n(least, n_lanes, 1.);
  for (std::size_t q = 0; q < 8; ++q)
    {
      const auto &x = J[0][line_of(q, 0)], &y = J[1][line_of(q, 1)], &z = J[2][line_of(q, 2)];
#pragma omp simd
      for (std::size_t l = 0; l < n_lanes; ++l)
        {
          const double determinant = x[0][l] * (y[1][l] * z[2][l] - z[1][l] * y[2][l]) +
                                     x[1][l] * (z[0][l] * y[2][l] - y[0][l] * z[2][l]) +
                                     x[2][l] * (y[0][l] * z[1][l] - z[0][l] * y[1][l]);
          const double dx = determinant * 0.125;
          volume[l] += dx;
          least[l] = dx > 0 ? least[l] : 0.; // NaN is not positive, either
        }
    }
  std::copy_n(volume, n, mesh.volumes.begin() + static_cast<std::ptrdiff_t>(first));
  return static_cast<std::size_t>(std::count(least, least + n, 0.));
}

/// Computes the volumes of elements of any type from `begin` on, by their quadrature.
///
/// @return the number of elements whose Jacobian is not positive at some quadrature point
template <typename Element>
std::size_t compute_each(ElementMesh &mesh, const std::size_t begin, const std::size_t end)
{
  std::size_t inverted = 0;
  for (std::size_t e = begin; e < end; ++e)
    {
      double X[3][Element::n_nodes];
      nodes_of<Element>(mesh, e, X);
      bool is_inverted = false;
      double volume    = 0.;
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double inverse[3][3];
          const double dx = element_stiffness::jacobian<Element>(X, q, inverse);
          volume += dx;
          is_inverted = is_inverted || !(dx > 0.); // NaN is not positive, either
        }
      mesh.volumes[e] = volume;
      inverted += is_inverted ? 1 : 0;
    }
  return inverted;
}

void lower_all(Lanes &lanes, const Lanes &values)
{
#pragma omp simd
  for (std::size_t l = 0; l < n_lanes; ++l)
    lanes[l] = values[l] < lanes[l] ? values[l] : lanes[l];
}

void raise_all(Lanes &lanes, const Lanes &values)
{
#pragma omp simd
  for (std::size_t l = 0; l < n_lanes; ++l)
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

  void add(const VertexLanes &vertices, const std::size_t n_vertices)
  {
    for (std::size_t d = 0; d < 3; ++d)
      for (const Lanes &places : vertices.at[d])
        {
          lower_all(lower[d], places);
          raise_all(upper[d], places);
        }
    for (std::size_t v = 0; v < n_vertices; ++v)
      for (std::size_t w = v + 1; w < n_vertices; ++w)
        if (const std::size_t bits =
              v ^ w; // vertices of hexahedra at an edge differ in one direction
            n_vertices == 4 || (bits & (bits - 1)) == 0)
          {
            Lanes sqr;
#pragma omp simd
            for (std::size_t l = 0; l < n_lanes; ++l)
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

std::size_t compute_volumes(ElementMesh &mesh, const int n_threads)
{
  static const ReferenceGradients gradients;
  mesh.volumes                  = cpu::filled_vector<double>(n_threads, mesh.n_elements);
  const auto inverted_of_blocks = cpu::values_of_blocks(
    n_threads, mesh.n_elements, [&](const std::size_t begin, const std::size_t end) {
      if (mesh.type != ElementType())
        return with_element(mesh.type, [&](const auto element) {
          return compute_each<std::decay_t<decltype(element)>>(mesh, begin, end);
        });
      std::size_t inverted = 0;
      for (std::size_t e = begin; e < end; e += n_lanes)
        inverted += compute_some(gradients, mesh, e, std::min(n_lanes, end - e));
      return inverted;
    });
  return std::accumulate(inverted_of_blocks.begin(), inverted_of_blocks.end(), std::size_t(0));
}

ElementSizes
ElementSizes::of(const ElementMesh &mesh, const std::size_t begin, const std::size_t end)
{
  SizesOfLanes of_lanes;
  for (std::size_t first = begin; first < end; first += n_lanes)
    of_lanes.add(VertexLanes(mesh, first, std::min(n_lanes, end - first)), mesh.type.n_vertices);

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
