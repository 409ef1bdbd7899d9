// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/forest.h"
#include "source/mesh/background_cells.h"

namespace strut
{
/// The vertices of cells as nodes.
class CellVertices
{
public:
  explicit CellVertices(const std::vector<BackgroundCells::Place> &places)
    : places_(places), vertices_(8 * places.size())
  {}

  /// Unites the vertices that two cells have at the same places. Several threads may call it
  /// concurrently.
  void join(const std::size_t a, const std::size_t b)
  {
    const auto &at = places_[a], &other = places_[b];
    for (unsigned int v = 0; v < 8; ++v)
      {
        unsigned int w = 0;
        bool is_common = true;
        for (unsigned int d = 0; d < 3; ++d)
          {
            const std::int64_t step = std::int64_t(at[d]) + (v >> d & 1u) - std::int64_t(other[d]);
            is_common               = is_common && (step == 0 || step == 1);
            w |= step == 1 ? 1u << d : 0u;
          }
        if (is_common)
          vertices_.unite(8 * a + v, 8 * b + w);
      }
  }

  /// Unites vertex v of one cell with vertex w of another one. Several threads may call it
  /// concurrently.
  void unite(const std::size_t a, const std::size_t v, const std::size_t b, const std::size_t w)
  {
    vertices_.unite(8 * a + v, 8 * b + w);
  }

  /// Numbers the nodes in the order in which cells have them.
  void number(BackgroundCells &cells)
  {
    const std::vector<LocalIndex> numbers = vertices_.trees(cells.n_nodes);
    cells.nodes.resize(places_.size());
    for (std::size_t cell = 0; cell < places_.size(); ++cell)
      for (std::size_t v = 0; v < 8; ++v)
        cells.nodes[cell][v] = numbers[8 * cell + v];
  }

private:
  const std::vector<BackgroundCells::Place> &places_;
  Forest vertices_;
};
} // namespace strut
