// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/single_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plugin/base/coordinate_text.h"
#include "source/base/parallel_loop.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
constexpr double most_of_edge = 1e-4;

/// Shortest edge of some elements.
double shortest_edge(const ElementMesh &mesh, const std::size_t begin, const std::size_t end)
{
  double shortest_sqr = std::numeric_limits<double>::max();
  const std::size_t n = mesh.type.n_vertices;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      if (n == 4 || ((a ^ b) & ((a ^ b) - 1)) == 0) // ends of an edge
        for (std::size_t e = begin; e < end; ++e)
          {
            double sqr = 0.;
            for (std::size_t d = 0; d < 3; ++d)
              {
                const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
                const double way      = x[mesh.connectivity[b * mesh.n_elements + e]] -
                                   x[mesh.connectivity[a * mesh.n_elements + e]];
                sqr += way * way;
              }
            shortest_sqr = std::min(shortest_sqr, sqr);
          }
  return std::sqrt(shortest_sqr);
}
} // namespace

SinglePrecision SinglePrecision::of(const Communicator &communicator, const ElementMesh &mesh)
{
  double shortest = std::numeric_limits<double>::max();
  for (const double of_block :
       cpu::values_of_blocks(cpu::default_n_threads(),
                             mesh.n_elements,
                             [&](const std::size_t begin, const std::size_t end) {
                               return shortest_edge(mesh, begin, end);
                             }))
    shortest = std::min(shortest, of_block);
  shortest = -communicator.max(-shortest);

  std::array<double, 3> low, high;
  double farthest = 0., extent = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    {
      // Maxima of the negated coordinate and of the coordinate.
      double of_rank[2] = {-std::numeric_limits<double>::max(),
                           -std::numeric_limits<double>::max()};
      for (std::size_t i = d * mesh.n_nodes; i < (d + 1) * mesh.n_nodes; ++i)
        {
          of_rank[0] = std::max(of_rank[0], -mesh.coordinates[i]);
          of_rank[1] = std::max(of_rank[1], mesh.coordinates[i]);
        }
      low[d]   = -communicator.max(of_rank[0]);
      high[d]  = communicator.max(of_rank[1]);
      farthest = std::max({farthest, std::abs(low[d]), std::abs(high[d])});
      extent   = std::max(extent, high[d] - low[d]);
    }

  SinglePrecision result;
  result.suffices = 0.5 * static_cast<double>(std::numeric_limits<float>::epsilon()) * farthest <=
                    most_of_edge * shortest;
  if (result.suffices)
    return result;
  // A round number that users can type.
  const double step = std::pow(10., std::floor(std::log10(extent)));
  for (std::size_t d = 0; d < 3; ++d)
    if (const double middle = 0.5 * (low[d] + high[d]); std::abs(middle) > extent)
      result.origin[d] = std::round(middle / step) * step;
  return result;
}

std::string note_on_origin(const SinglePrecision &precision)
{
  return "  NOTE: STL files have single precision, which is too coarse for the mesh so far from its origin: "
         "their places count from (" +
         precision.origin_text() + ")\n";
}

std::string SinglePrecision::origin_text() const
{
  std::string text;
  for (const double x : origin)
    text += (text.empty() ? "" : " ") + number_with_digits(x, 17);
  return text;
}
} // namespace strut
