// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/solid_pieces.h"
#include "source/base/forest.h"
#include "source/mesh/faces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace strut
{
namespace
{
constexpr double least_solid = 1e-3; ///< relative to the largest factor
constexpr double block_width = 4.;   ///< in elements

std::uint32_t node_of(const ElementMesh &mesh, const std::size_t e, const std::size_t v)
{
  return mesh.connectivity[v * mesh.n_elements + e];
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> find_faces(const ElementMesh &mesh)
{
  std::vector<std::pair<std::array<std::uint32_t, 4>, std::uint32_t>> sides;
  sides.reserve(6 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (const auto &face : around_face)
      {
        std::array<std::uint32_t, 4> nodes;
        for (std::size_t k = 0; k < 4; ++k)
          nodes[k] = node_of(mesh, e, face[k]);
        std::sort(nodes.begin(), nodes.end());
        sides.emplace_back(nodes, static_cast<std::uint32_t>(e));
      }
  std::sort(sides.begin(), sides.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> faces;
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sides[k].first == sides[k - 1].first)
      faces.emplace_back(sides[k - 1].second, sides[k].second);
  return faces;
}

/// Finds the blocks that contain the centres. Their edges are so many times the mean extent of
/// elements along each axis.
std::vector<std::array<std::uint16_t, 3>> find_blocks(const ElementMesh &mesh)
{
  std::vector<std::array<std::uint16_t, 3>> blocks(mesh.n_elements);
  for (std::size_t d = 0; d < 3; ++d)
    {
      const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
      std::vector<double> centres(mesh.n_elements, 0.);
      double lowest = std::numeric_limits<double>::max(), extent = 0.;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        {
          double low = x[node_of(mesh, e, 0)], high = low;
          for (std::size_t v = 0; v < 8; ++v)
            {
              const double at = x[node_of(mesh, e, v)];
              centres[e] += at / 8.;
              low  = std::min(low, at);
              high = std::max(high, at);
            }
          lowest = std::min(lowest, low);
          extent += (high - low) / static_cast<double>(mesh.n_elements);
        }
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        blocks[e][d] = static_cast<std::uint16_t>(
          std::min(65535., std::floor((centres[e] - lowest) / (block_width * extent))));
    }
  return blocks;
}

/// Makes the lists of pieces at nodes, and of nodes of pieces.
void list_nodes(const ElementMesh &mesh, const NodeToElement &elements_of, SolidPieces &pieces)
{
  std::vector<std::uint32_t> around;
  pieces.at_node_begin.assign(1, 0);
  pieces.nodes_begin.assign(pieces.n + 1, 0);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      around.clear();
      for (LocalIndex k = elements_of.begin[node]; k < elements_of.begin[node + 1]; ++k)
        if (const std::uint32_t piece = pieces.of_element[elements_of.entries[k] / 8];
            piece != SolidPieces::none)
          around.push_back(piece);
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
      pieces.at_node.insert(pieces.at_node.end(), around.begin(), around.end());
      pieces.at_node_begin.push_back(static_cast<std::uint32_t>(pieces.at_node.size()));
      for (const std::uint32_t piece : around)
        ++pieces.nodes_begin[piece + 1];
    }
  std::partial_sum(pieces.nodes_begin.begin(),
                   pieces.nodes_begin.end(),
                   pieces.nodes_begin.begin());
  pieces.nodes.resize(pieces.at_node.size());
  std::vector<std::uint32_t> next(pieces.nodes_begin.begin(), pieces.nodes_begin.end() - 1);
  for (std::uint32_t node = 0; node < mesh.n_nodes; ++node)
    for (std::uint32_t k = pieces.at_node_begin[node]; k < pieces.at_node_begin[node + 1]; ++k)
      pieces.nodes[next[pieces.at_node[k]]++] = node;
}
} // namespace

SolidPiecesFinder::SolidPiecesFinder(const ElementMesh &mesh)
  : mesh_(mesh)
  , elements_of_(NodeToElement::build(mesh))
  , faces_(find_faces(mesh))
  , blocks_(find_blocks(mesh))
{}

SolidPieces SolidPiecesFinder::find(const std::vector<double> &factors,
                                    const std::size_t most) const
{
  const std::size_t n = mesh_.n_elements;
  SolidPieces pieces;
  double largest = 0.;
  for (const double factor : factors)
    largest = std::max(largest, factor);
  const auto is_solid = [&](const std::size_t e) { return factors[e] > least_solid * largest; };
  std::size_t n_solid = 0;
  for (std::size_t e = 0; e < n; ++e)
    n_solid += is_solid(e) ? 1 : 0;
  if (n_solid == n)
    return pieces;
  for (unsigned int halvings = 0; halvings <= 16; ++halvings)
    {
      Forest forest(n);
      for (const auto &[a, b] : faces_)
        {
          bool are_one = is_solid(a) && is_solid(b);
          for (std::size_t d = 0; d < 3; ++d)
            are_one = are_one && blocks_[a][d] >> halvings == blocks_[b][d] >> halvings;
          if (are_one)
            forest.unite(a, b);
        }
      pieces.n = 0;
      pieces.of_element.assign(n, SolidPieces::none);
      for (std::uint32_t e = 0; e < n; ++e)
        if (is_solid(e))
          {
            // The root has the smallest number, so it was visited before.
            const std::uint32_t root = forest.root(e);
            pieces.of_element[e] =
              root == e ? static_cast<std::uint32_t>(pieces.n++) : pieces.of_element[root];
          }
      if (pieces.n <= most)
        break;
    }
  if (pieces.n > most) // There are more islands than pieces allowed.
    return {};
  list_nodes(mesh_, elements_of_, pieces);
  return pieces;
}
} // namespace strut
