// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/operators/stiffness_rows.h"
#include "source/base/parallel_loop.h"
#include "source/element/element_rows.h"
#include "source/element/elements.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <limits>

namespace strut
{
StiffnessRows::StiffnessRows(const ElementMesh &mesh, const Material &material, const int n_threads)
  : material_(material)
  , type_(mesh.type)
  , n_threads_(n_threads)
  , n_nodes_(mesh.n_nodes)
  , node_to_element_(NodeToElement::build(mesh))
  , coordinates_(3 * mesh.n_nodes)
  , connectivity_(mesh.type.n_nodes * mesh.n_elements)
{
  for (std::size_t n = 0; n < n_nodes_; ++n)
    for (std::size_t d = 0; d < 3; ++d)
      coordinates_[3 * n + d] = mesh.coordinates[d * n_nodes_ + n];
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t a = 0; a < type_.n_nodes; ++a)
      connectivity_[type_.n_nodes * e + a] = mesh.node(e, a);
}

void StiffnessRows::find_neighbours(const std::size_t node,
                                    std::vector<LocalIndex> &neighbours) const
{
  neighbours.clear();
  for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
    {
      const std::size_t e           = node_to_element_.entries[k] / type_.n_nodes;
      const LocalIndex *const nodes = connectivity_.data() + type_.n_nodes * e;
      neighbours.insert(neighbours.end(), nodes, nodes + type_.n_nodes);
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
  with_element(type_, [&](const auto element) {
    using Element   = std::decay_t<decltype(element)>;
    constexpr int n = Element::n_nodes;
    cpu::parallel_for(n_threads_, n_nodes_, [=](const std::size_t node) {
      const int *const begin = row_begin + 3 * node; // begin of the three rows of the node
      const int *const first = columns + begin[0];
      const int *const last  = columns + begin[1];
      std::fill(values + begin[0], values + begin[3], 0.);
      for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
        {
          const std::size_t e           = node_to_element_.entries[k] / n;
          const LocalIndex *const nodes = connectivity_.data() + n * e;
          double X[3][n], rows[3][3 * n];
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t d = 0; d < 3; ++d)
              X[d][a] = coordinates_[3 * std::size_t(nodes[a]) + d];
          element_rows<Element>(X,
                                material_,
                                static_cast<int>(node_to_element_.entries[k] % n),
                                rows);
          for (std::size_t a = 0; a < n; ++a)
            {
              const int column    = static_cast<int>(3 * nodes[a]);
              const auto position = std::lower_bound(first, last, column) - first;
              for (int i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                  values[begin[i] + position + static_cast<std::ptrdiff_t>(j)] +=
                    factors[e] * rows[i][3 * a + j];
            }
        }
    });
  });
}

double StiffnessRows::memory_bytes() const
{
  return static_cast<double>(
    (node_to_element_.begin.size() + node_to_element_.entries.size() + connectivity_.size()) *
      sizeof(LocalIndex) +
    coordinates_.size() * sizeof(double));
}

double StiffnessRows::memory_estimate(const OperatorSize &size)
{
  const auto n_elements = static_cast<double>(size.n_elements);
  const auto n_nodes    = static_cast<double>(size.n_nodes);
  return sizeof(LocalIndex) * (n_nodes + 2. * size.type.n_nodes * n_elements) +
         3. * sizeof(double) * n_nodes;
}

double StiffnessRows::n_entries_estimate(const OperatorSize &size)
{
  const auto n_elements = static_cast<double>(size.n_elements);
  const auto n_nodes    = static_cast<double>(size.n_nodes);
  // Pairs of nodes that share an element: each node with itself, and both ways over the edges, the
  // two diagonals of a face and the four of an element. By Euler's formula an inner node has 27
  // pairs. It neglects the faces on the boundary, about twice as many as the nodes exceed the
  // elements.
  if (size.type == ElementType())
    return 9. * (9. * n_nodes + 18. * n_elements);

  // Other elements: a pair belongs to an edge, a face or an element, whichever is the smallest.
  // Inside of the mesh two elements share a face. Euler's formula gives the edges.
  const ElementType &type = size.type;
  const double corners = type.n_vertices == 4 ? 3. : 4., faces = type.n_vertices == 4 ? 4. : 6.;
  const double edges   = faces * corners / 2.;
  const auto on_face   = static_cast<double>(nodes_of_faces(type)[0].size());
  const double on_edge = on_face > corners ? 3. : 2.; // with its ends
  const auto pairs     = [](const double n) { return n * (n - 1.) / 2.; };
  const double of_edge = pairs(on_edge), of_face = pairs(on_face) - corners * of_edge,
               of_element = pairs(type.n_nodes) - edges * of_edge - faces * of_face;
  const double in_edge = on_edge - 2., in_face = on_face - corners * (1. + in_edge),
               in_element = type.n_nodes - type.n_vertices - edges * in_edge - faces * in_face;
  const double n_faces    = faces / 2. * n_elements;
  const double n_vertices =
    (n_nodes - in_edge * (n_faces - n_elements) - in_face * n_faces - in_element * n_elements) /
    (1. + in_edge);
  const double n_edges = n_vertices + n_faces - n_elements;
  return 9. * (n_nodes + 2. * (of_edge * n_edges + of_face * n_faces + of_element * n_elements));
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
