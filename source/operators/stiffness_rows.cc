// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/operators/stiffness_rows.h"
#include "source/base/parallel_loop.h"
#include "source/element/hexahedron.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <limits>

namespace strut
{
StiffnessRows::StiffnessRows(const ElementMesh &mesh, const Material &material, const int n_threads)
  : material_(material)
  , n_threads_(n_threads)
  , n_nodes_(mesh.n_nodes)
  , node_to_element_(NodeToElement::build(mesh))
  , coordinates_(3 * mesh.n_nodes)
  , connectivity_(8 * mesh.n_elements)
{
  for (std::size_t n = 0; n < n_nodes_; ++n)
    for (std::size_t d = 0; d < 3; ++d)
      coordinates_[3 * n + d] = mesh.coordinates[d * n_nodes_ + n];
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      connectivity_[8 * e + v] = mesh.connectivity[v * mesh.n_elements + e];
}

void StiffnessRows::find_neighbours(const std::size_t node,
                                    std::vector<LocalIndex> &neighbours) const
{
  neighbours.clear();
  for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
    {
      const LocalIndex *const vertices = &connectivity_[node_to_element_.entries[k] / 8 * 8];
      neighbours.insert(neighbours.end(), vertices, vertices + 8);
    }
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
}

std::vector<int> StiffnessRows::row_begin(const std::string &strategy) const
{
  std::vector<int> begin(n_rows() + 1, 0);
  std::atomic<std::size_t> n_entries{0};
  cpu::parallel_ranges(n_threads_, n_nodes_, [&](const std::size_t first, const std::size_t end) {
    std::vector<LocalIndex> neighbours;
    std::size_t n_here = 0;
    for (std::size_t node = first; node < end; ++node)
      {
        find_neighbours(node, neighbours);
        std::fill_n(&begin[3 * node + 1], 3, static_cast<int>(3 * neighbours.size()));
        n_here += 9 * neighbours.size();
      }
    n_entries += n_here;
  });
  require_int_size(strategy, n_entries);
  for (std::size_t row = 0; row < n_rows(); ++row)
    begin[row + 1] += begin[row];
  return begin;
}

void StiffnessRows::fill_columns(const int *const row_begin, int *const columns) const
{
  cpu::parallel_ranges(n_threads_, n_nodes_, [&](const std::size_t first, const std::size_t end) {
    std::vector<LocalIndex> neighbours;
    for (std::size_t node = first; node < end; ++node)
      {
        find_neighbours(node, neighbours);
        for (std::size_t i = 0; i < 3; ++i)
          {
            int *column = columns + row_begin[3 * node + i];
            for (const LocalIndex neighbour : neighbours)
              for (int c = 0; c < 3; ++c)
                *column++ = static_cast<int>(3 * neighbour) + c;
          }
      }
  });
}

void StiffnessRows::sum_values(const double *const factors,
                               const int *const row_begin,
                               const int *const columns,
                               double *const values) const
{
  cpu::parallel_for(n_threads_, n_nodes_, [=](const std::size_t node) {
    const int *const begin = row_begin + 3 * node; // begin of the three rows of the node
    const int *const first = columns + begin[0];
    const int *const last  = columns + begin[1];
    std::fill(values + begin[0], values + begin[3], 0.);
    for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
      {
        const std::size_t e              = node_to_element_.entries[k] / 8;
        const LocalIndex *const vertices = &connectivity_[8 * e];
        double X[3][8], rows[3][24];
        for (std::size_t v = 0; v < 8; ++v)
          for (std::size_t d = 0; d < 3; ++d)
            X[d][v] = coordinates_[3 * std::size_t(vertices[v]) + d];
        hexahedron::stiffness_rows(X,
                                   material_,
                                   static_cast<int>(node_to_element_.entries[k] % 8),
                                   rows);
        for (std::size_t v = 0; v < 8; ++v)
          {
            const int column    = static_cast<int>(3 * vertices[v]);
            const auto position = std::lower_bound(first, last, column) - first;
            for (int i = 0; i < 3; ++i)
              for (std::size_t j = 0; j < 3; ++j)
                values[begin[i] + position + static_cast<std::ptrdiff_t>(j)] +=
                  factors[e] * rows[i][3 * v + j];
          }
      }
  });
}

double StiffnessRows::memory_bytes() const
{
  return static_cast<double>(
    (node_to_element_.begin.size() + node_to_element_.entries.size() + connectivity_.size()) *
      sizeof(LocalIndex) +
    coordinates_.size() * sizeof(double));
}

double StiffnessRows::memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
{
  return sizeof(LocalIndex) * (n_nodes + 16. * n_elements) + 3. * sizeof(double) * n_nodes;
}

double StiffnessRows::n_entries_estimate(const std::size_t n_elements, const std::size_t n_nodes)
{
  // Pairs of nodes that share an element: each node with itself, and both ways over the edges, the
  // two diagonals of a face and the four of an element. By Euler's formula an inner node has 27
  // pairs. It neglects the faces on the boundary, about twice as many as the nodes exceed the
  // elements.
  const double n_pairs = 9. * n_nodes + 18. * n_elements;
  return 9. * n_pairs;
}

void require_int_size(const std::string &strategy, const std::size_t n_entries)
{
  constexpr std::size_t largest = std::numeric_limits<int>::max();
  if (n_entries > largest)
    throw Error(strategy + ": the matrix of this rank has " + std::to_string(n_entries) +
                  " non-zero entries, and its indices count up to " + std::to_string(largest) + ".",
                Remedy::use_more_ranks_or_other_operator);
}
} // namespace strut
