// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/operators/coloured_storage.h"
#include "source/mesh/colouring.h"

#include <algorithm>

namespace strut::cuda
{
namespace
{
/// Returns the part of each element along the curve, or n_parts for elements that share a node with
/// an earlier part.
std::vector<std::size_t> divide(const ElementMesh &mesh, const std::size_t n_parts)
{
  std::vector<std::size_t> node_part(mesh.n_nodes, n_parts);
  std::vector<std::size_t> part(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      part[e] = e * n_parts / mesh.n_elements;
      for (std::size_t v = 0; v < 8; ++v)
        {
          std::size_t &other = node_part[mesh.connectivity[v * mesh.n_elements + e]];
          other              = std::min(other, part[e]);
        }
    }
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      if (node_part[mesh.connectivity[v * mesh.n_elements + e]] < e * n_parts / mesh.n_elements)
        part[e] = n_parts;
  return part;
}
} // namespace

ColouredStorage::ColouredStorage(const ElementMesh &mesh,
                                 const std::size_t n_parts,
                                 const std::size_t section_bytes,
                                 const std::size_t bytes_per_node)
  : parts(n_parts)
{
  const Colouring colouring           = Colouring::greedy(mesh);
  const std::vector<std::size_t> part = divide(mesh, n_parts);
  elements.reserve(mesh.n_elements);

  // Sections of one part at a time, for all parts together.
  const std::size_t n_sections = 1 + bytes_per_node * mesh.n_nodes / (section_bytes * n_parts);
  for (std::size_t p = 0; p <= n_parts; ++p)
    {
      const bool is_cut      = p == n_parts;
      const std::size_t from = is_cut ? 0 : (mesh.n_elements * p + n_parts - 1) / n_parts;
      const std::size_t to =
        is_cut ? mesh.n_elements : (mesh.n_elements * (p + 1) + n_parts - 1) / n_parts;
      std::vector<ColourRange> &ranges = is_cut ? cut : parts[p];
      std::vector<LocalIndex> next(colouring.begin.begin(), colouring.begin.end() - 1);
      const std::size_t n = is_cut ? 1 : n_sections;
      for (std::size_t section = 1; section <= n; ++section)
        for (std::size_t colour = 0; colour < colouring.n_colours(); ++colour)
          {
            const std::size_t begin = elements.size(), end = from + (to - from) * section / n;
            LocalIndex &k = next[colour];
            for (; k < colouring.begin[colour + 1] && colouring.elements[k] < end; ++k)
              if (part[colouring.elements[k]] == p)
                elements.push_back(colouring.elements[k]);
            if (elements.size() > begin)
              ranges.push_back({begin, elements.size()});
          }
    }
}

std::vector<LocalIndex> ColouredStorage::connectivity(const ElementMesh &mesh) const
{
  // Parts share no node, so their order does not matter.
  std::vector<bool> seen(mesh.n_nodes, false);
  std::vector<LocalIndex> result(8 * mesh.n_elements);
  for (std::size_t s = 0; s < mesh.n_elements; ++s)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex node = mesh.connectivity[v * mesh.n_elements + elements[s]];
        result[8 * s + v]     = seen[node] ? node : node | first_at_node;
        seen[node]            = true;
      }
  return result;
}
} // namespace strut::cuda
