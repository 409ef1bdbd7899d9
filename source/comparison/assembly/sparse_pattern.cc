// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/sparse_pattern.h"

#include <strut/base/exceptions.h>

#include <limits>

namespace strut
{
double neighbour_memory_estimate(const std::size_t n_nodes,
                                 const std::size_t n_elements,
                                 const int nodes_per_element,
                                 const NeighbourSort sort)
{
  const double npe        = nodes_per_element;
  const double incidences = npe * static_cast<double>(n_elements);
  const double lists      = npe * incidences;
  const double n_copies   = sort == NeighbourSort::pairs       ? 4.
                            : sort == NeighbourSort::segmented ? 2.
                                                               : 1.;
  // begins of rows and elements, counters, scratch buffers; the result is no longer than the lists
  return sizeof(LocalIndex) * ((n_copies + 1.) * lists + incidences) +
         32. * (static_cast<double>(n_nodes) + 1.);
}

std::string to_string(const MatrixFormat format)
{
  return format == MatrixFormat::coo ? "COO" : format == MatrixFormat::csr ? "CSR" : "ELL";
}

SparsePattern
pattern_sizes(const NeighbourMatrix &neighbours, const MatrixFormat format, const int dofs_per_node)
{
  constexpr std::size_t limit = std::numeric_limits<LocalIndex>::max();
  const std::size_t d         = static_cast<std::size_t>(dofs_per_node);
  if (dofs_per_node < 1)
    throw Error("Matrix generation: " + std::to_string(dofs_per_node) + " unknowns at each node.");
  if (neighbours.n_nodes > limit / d)
    throw Error("Matrix generation: " + std::to_string(neighbours.n_nodes) + " nodes with " +
                  std::to_string(d) + " unknowns each are " +
                  std::to_string(neighbours.n_nodes * d) + " rows; they are numbered up to " +
                  std::to_string(limit) + ".",
                Remedy::use_more_ranks);
  SparsePattern pattern;
  pattern.format        = format;
  pattern.dofs_per_node = dofs_per_node;
  pattern.n_rows        = d * neighbours.n_nodes;
  pattern.n_entries     = d * d * neighbours.n_pairs;
  pattern.width         = d * neighbours.longest_row;
  pattern.n_stored =
    format == MatrixFormat::ell ? pattern.width * pattern.n_rows : pattern.n_entries;
  return pattern;
}

double index_bytes(const SparsePattern &pattern)
{
  const double columns = sizeof(LocalIndex) * static_cast<double>(pattern.n_stored);
  switch (pattern.format)
    {
      case MatrixFormat::coo:
        return 2. * columns;
      case MatrixFormat::csr:
        return columns + sizeof(std::uint64_t) * (static_cast<double>(pattern.n_rows) + 1.);
      case MatrixFormat::ell:
        break;
    }
  return columns;
}
} // namespace strut
