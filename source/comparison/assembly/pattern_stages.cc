// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/comparison/assembly/assembly_parts.h"

#include <algorithm>
#include <vector>

namespace strut::cpu
{
namespace
{
/// Makes the element lists with ascending elements. It is serial: the pages are touched by one
/// thread, which has no later effect.
void find_elements(const ConnectivityArrays &connectivity, NeighbourMatrix &result)
{
  const std::size_t n_local     = static_cast<std::size_t>(connectivity.nodes_per_element);
  const std::size_t n_elements  = connectivity.n_elements;
  const LocalIndex *const nodes = connectivity.nodes.data();
  LocalIndex *const begin       = result.incidence_begin.data();
  for (std::size_t k = 0; k < n_local * n_elements; ++k)
    ++begin[nodes[k] + 1];
  for (std::size_t node = 0; node < result.n_nodes; ++node)
    begin[node + 1] += begin[node];
  std::vector<LocalIndex> next(begin, begin + result.n_nodes);
  for (std::size_t e = 0; e < n_elements; ++e)
    for (std::size_t a = 0; a < n_local; ++a)
      result.incidences.data()[next[nodes[a * n_elements + e]]++] =
        static_cast<LocalIndex>(n_local * e + a);
}

/// Finds the neighbours of a node, ascending, each once.
///
/// @param row  scratch for all nodes of its elements; receives the result
/// @return the number of distinct neighbours
std::size_t find_row(const ConnectivityArrays &connectivity,
                     const NeighbourMatrix &matrix,
                     const std::size_t node,
                     LocalIndex *const row)
{
  const LocalIndex n_local      = static_cast<LocalIndex>(connectivity.nodes_per_element);
  const LocalIndex *const begin = matrix.incidence_begin.data();
  LocalIndex *end               = row;
  for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
    for (std::size_t b = 0; b < n_local; ++b)
      *end++ = connectivity.nodes
                 .data()[b * connectivity.n_elements + matrix.incidences.data()[k] / n_local];
  std::sort(row, end);
  return static_cast<std::size_t>(std::unique(row, end) - row);
}

/// Allocates scratch rows, one per thread, for the nodes of all elements of any node. The threads
/// must not allocate themselves, since their exceptions end the program.
std::vector<std::vector<LocalIndex>> make_rows(const int n_threads,
                                               const ConnectivityArrays &connectivity,
                                               const NeighbourMatrix &matrix)
{
  const LocalIndex *const begin = matrix.incidence_begin.data();
  LocalIndex most_elements      = 0;
  for (std::size_t node = 0; node < matrix.n_nodes; ++node)
    most_elements = std::max(most_elements, begin[node + 1] - begin[node]);
  const std::size_t longest =
    static_cast<std::size_t>(connectivity.nodes_per_element) * most_elements;
  return std::vector<std::vector<LocalIndex>>(static_cast<std::size_t>(n_threads),
                                              std::vector<LocalIndex>(longest));
}

/// Calls body(node, row) for all nodes, on as many threads as there are rows.
template <typename Body>
void for_each_row(std::vector<std::vector<LocalIndex>> &rows,
                  const std::size_t n_nodes,
                  const Body &body)
{
  run_parts(static_cast<int>(rows.size()), [&](const int part) {
    const std::size_t p     = static_cast<std::size_t>(part);
    LocalIndex *const row   = rows[p].data();
    const auto [begin, end] = range_of_part(p, rows.size(), n_nodes);
    for (std::size_t node = begin; node < end; ++node)
      body(node, row);
  });
}
} // namespace

/// Stage 1 on the CPU. `sort` has no effect: each thread sorts the rows of its nodes.
NeighbourMatrix find_neighbours(Backend &backend,
                                const ConnectivityArrays &connectivity,
                                NeighbourSort,
                                StageReport *const report)
{
  Memory &memory          = backend.memory();
  const int n_threads     = static_cast<int>(backend.n_threads());
  const std::size_t n     = connectivity.n_nodes;
  const double in_lists   = sizeof(LocalIndex) * static_cast<double>(connectivity.n_incidences());
  const std::string stage = "stage 1 of the matrix generation (neighbours)";
  const double lists      = in_lists + (sizeof(std::uint64_t) + 2. * sizeof(LocalIndex)) * (n + 1.);
  require_memory(memory, lists, stage);
  NeighbourMatrix result;
  result.n_nodes         = n;
  result.begin           = Array<std::uint64_t>(memory, n + 1);
  result.incidence_begin = Array<LocalIndex>(memory, n + 1);
  result.incidences      = Array<LocalIndex>(memory, connectivity.n_incidences());

  timed_step(backend, report, "element lists", 2. * in_lists, [&]() {
    find_elements(connectivity, result);
  });
  std::vector<std::vector<LocalIndex>> rows;
  timed_step(backend, report, "lengths of the rows", in_lists, [&]() {
    rows                       = make_rows(n_threads, connectivity, result);
    std::uint64_t *const begin = result.begin.data();
    for_each_row(rows, n, [&](const std::size_t node, LocalIndex *const row) {
      begin[node + 1] = find_row(connectivity, result, node, row);
    });
    for (std::size_t node = 0; node < n; ++node)
      {
        result.longest_row = std::max<std::size_t>(result.longest_row, begin[node + 1]);
        begin[node + 1] += begin[node];
      }
    result.n_pairs = begin[n];
  });
  require_memory(memory, sizeof(LocalIndex) * static_cast<double>(result.n_pairs), stage);
  result.nodes = Array<LocalIndex>(memory, result.n_pairs);
  const double out =
    sizeof(LocalIndex) * static_cast<double>(result.n_pairs) + sizeof(std::uint64_t) * (n + 1.);
  timed_step(backend, report, "rows", in_lists + out, [&]() {
    for_each_row(rows, n, [&](const std::size_t node, LocalIndex *const row) {
      const std::size_t length = find_row(connectivity, result, node, row);
      std::copy(row, row + length, result.nodes.data() + result.begin.data()[node]);
    });
  });
  if (report != nullptr)
    {
      report->bytes        = 2. * in_lists + out;
      report->memory_bytes = in_lists + out + sizeof(LocalIndex) * (n + 1.);
    }
  return result;
}

void fill_pattern(Backend &backend, const NeighbourMatrix &neighbours, SparsePattern &pattern)
{
  const MatrixFormat format = pattern.format;
  const std::size_t d       = static_cast<std::size_t>(pattern.dofs_per_node);
  const std::size_t n_rows  = pattern.n_rows;
  const EntryPlaces places  = pattern.places(neighbours);
  parallel_for(static_cast<int>(backend.n_threads()),
               neighbours.n_nodes,
               [&](const std::size_t node) {
                 const NeighbourView view = neighbours.view();
                 const std::size_t m      = view.length(node);
                 const std::size_t stride = places.column_stride();
                 for (std::size_t i = 0; i < d; ++i)
                   {
                     const std::size_t row = d * node + i;
                     if (format == MatrixFormat::csr)
                       pattern.row_begin.data()[row + 1] =
                         d * d * view.begin[node] + (i + 1) * d * m;
                     for (std::size_t k = 0; k < m; ++k)
                       for (std::size_t j = 0; j < d; ++j)
                         {
                           const std::size_t place =
                             places.block(node, k) + i * places.row_stride(node) + j * stride;
                           pattern.columns.data()[place] =
                             static_cast<LocalIndex>(d * view.nodes[view.begin[node] + k] + j);
                           if (format == MatrixFormat::coo)
                             pattern.rows.data()[place] = static_cast<LocalIndex>(row);
                         }
                     if (format == MatrixFormat::ell)
                       for (std::size_t k = d * m; k < pattern.width; ++k)
                         pattern.columns.data()[k * n_rows + row] = static_cast<LocalIndex>(row);
                   }
               });
}
} // namespace strut::cpu
