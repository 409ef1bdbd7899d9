// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/united_cells.h"
#include "source/base/forest.h"
#include "source/mesh/cell_vertices.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace strut
{
namespace
{
/// The cells of all ranks, one rank after the other, and their connections.
struct CellsOfAll
{
  /// A cell that elements around a node touch.
  struct AtNode
  {
    LocalIndex node, cell;
    bool has_node;
  };

  std::vector<LocalIndex> begin; ///< `[n_ranks + 1]`: the first cell of each rank
  std::vector<BackgroundCells::Place> places;
  std::vector<std::array<LocalIndex, 8>> nodes; ///< nodes of each cell, numbered by its rank
  std::vector<AtNode> at_nodes; ///< cells at the nodes of several ranks, node by node

  CellsOfAll(const Communicator &communicator, const ElementMesh &mesh, const FirstBackground &own)
  {
    // (1) Places and vertices of cells.
    std::vector<std::uint32_t> numbers;
    for (const BackgroundCells::Place &place : own.cells.places)
      numbers.insert(numbers.end(), place.begin(), place.end());
    numbers = communicator.gather_indices(numbers);
    for (std::size_t k = 0; k < numbers.size(); k += 3)
      places.push_back({{numbers[k], numbers[k + 1], numbers[k + 2]}});
    numbers.clear();
    for (const auto &vertices : own.cells.nodes)
      numbers.insert(numbers.end(), vertices.begin(), vertices.end());
    numbers = communicator.gather_indices(numbers);
    nodes.resize(places.size());
    for (std::size_t cell = 0; cell < nodes.size(); ++cell)
      std::copy_n(&numbers[8 * cell], 8, nodes[cell].begin());
    begin.push_back(0);
    for (const std::uint32_t n :
         communicator.gather_indices({static_cast<std::uint32_t>(own.cells.size())}))
      begin.push_back(begin.back() + n);

    // (2) Cells at nodes that ranks share.
    const auto backend                = make_cpu_backend(1);
    const std::vector<double> node_of = node_numbers(*backend, communicator, mesh);
    const LocalIndex first            = begin[static_cast<std::size_t>(communicator.rank())];
    numbers.clear();
    for (const FirstBackground::AtNode &at : own.at_shared_nodes)
      {
        numbers.push_back(static_cast<std::uint32_t>(node_of[at.node]));
        numbers.push_back(first + at.cell);
        numbers.push_back(at.has_node ? 1 : 0);
      }
    numbers = communicator.gather_indices(numbers);
    for (std::size_t k = 0; k < numbers.size(); k += 3)
      at_nodes.push_back({numbers[k], numbers[k + 1], numbers[k + 2] != 0});
    std::sort(at_nodes.begin(), at_nodes.end(), [](const AtNode &a, const AtNode &b) {
      return std::tie(a.node, a.cell) < std::tie(b.node, b.cell);
    });
  }

  /// Calls body(a, b) for two cells at a node.
  template <typename Body>
  void for_pairs_at_nodes(const Body &body) const
  {
    for (std::size_t first = 0, k = 0; k < at_nodes.size(); ++k)
      {
        if (at_nodes[k].node != at_nodes[first].node)
          first = k;
        for (std::size_t l = first; l < k; ++l)
          body(at_nodes[l], at_nodes[k]);
      }
  }

  /// The united cell of each cell.
  std::vector<LocalIndex> pieces(std::size_t &n) const
  {
    Forest forest(places.size());
    for_pairs_at_nodes([&](const AtNode &a, const AtNode &b) {
      if (places[a.cell] == places[b.cell])
        forest.unite(a.cell, b.cell);
    });
    return forest.trees(n);
  }
};

/// Numbers the nodes in the order in which cells have them, so that those of a rank are
/// consecutive, too.
std::vector<LocalIndex> nodes_begin(const UnitedCells &united)
{
  std::vector<LocalIndex> begin(1, 0);
  LocalIndex n = 0;
  for (std::size_t rank = 0; rank + 1 < united.cells_begin.size(); ++rank)
    {
      for (LocalIndex c = united.cells_begin[rank]; c < united.cells_begin[rank + 1]; ++c)
        for (const LocalIndex node : united.cells.nodes[c])
          n = std::max(n, node + 1);
      begin.push_back(n);
    }
  return begin;
}
} // namespace

UnitedCells
unite(const Communicator &communicator, const ElementMesh &mesh, const FirstBackground &own)
{
  if (communicator.size() == 1)
    {
      std::vector<LocalIndex> all(own.cells.size());
      std::iota(all.begin(), all.end(), LocalIndex(0));
      return {own.cells,
              {0, static_cast<LocalIndex>(own.cells.size())},
              {0, static_cast<LocalIndex>(own.cells.n_nodes)},
              {std::move(all)}};
    }
  const CellsOfAll all(communicator, mesh, own);
  std::size_t n_cells                   = 0;
  const std::vector<LocalIndex> cell_of = all.pieces(n_cells);

  UnitedCells united;
  BackgroundCells &cells = united.cells;
  cells.n_places         = own.cells.n_places;
  cells.places.resize(n_cells);
  for (std::size_t k = 0; k < cell_of.size(); ++k)
    cells.places[cell_of[k]] = all.places[k];

  // (1) The owners of cells. Numbers are given in the order of the ranks.
  united.cells_begin.push_back(0);
  for (std::size_t rank = 0; rank + 1 < all.begin.size(); ++rank)
    {
      const auto first = cell_of.begin() + all.begin[rank],
                 end   = cell_of.begin() + all.begin[rank + 1];
      united.of_ranks.emplace_back(first, end);
      united.cells_begin.push_back(
        first == end ? united.cells_begin.back()
                     : std::max(united.cells_begin.back(), *std::max_element(first, end) + 1));
    }

  // (2) Unite vertices that are one node on some rank, and those of cells with a shared node on
  // their common face.
  CellVertices vertices(cells.places);
  for (std::size_t rank = 0; rank + 1 < all.begin.size(); ++rank)
    {
      std::vector<LocalIndex> met; // for each node of the rank: 8 * cell + vertex + 1; 0: none yet
      for (std::size_t k = all.begin[rank]; k < all.begin[rank + 1]; ++k)
        for (std::size_t v = 0; v < 8; ++v)
          {
            const LocalIndex node = all.nodes[k][v];
            if (met.size() <= node)
              met.resize(node + 1, 0);
            if (met[node] == 0)
              met[node] = static_cast<LocalIndex>(8 * cell_of[k] + v + 1);
            else
              vertices.unite((met[node] - 1) / 8, (met[node] - 1) % 8, cell_of[k], v);
          }
    }
  all.for_pairs_at_nodes([&](const CellsOfAll::AtNode &a, const CellsOfAll::AtNode &b) {
    if (a.has_node && b.has_node && cell_of[a.cell] != cell_of[b.cell])
      vertices.join(cell_of[a.cell], cell_of[b.cell]);
  });
  vertices.number(cells);
  united.nodes_begin = nodes_begin(united);
  return united;
}

UnitedCells put_cells_behind(const UnitedCells &finer, std::vector<LocalIndex> &parents)
{
  UnitedCells united;
  united.cells = put_cells_behind(finer.cells, parents);

  // Numbers are given in the order of the first finer cells, which is that of the ranks.
  united.cells_begin.push_back(0);
  for (std::size_t rank = 0; rank + 1 < finer.cells_begin.size(); ++rank)
    {
      std::vector<LocalIndex> own(parents.begin() + finer.cells_begin[rank],
                                  parents.begin() + finer.cells_begin[rank + 1]);
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      united.cells_begin.push_back(own.empty()
                                     ? united.cells_begin.back()
                                     : std::max(united.cells_begin.back(), own.back() + 1));
      united.of_ranks.push_back(std::move(own));
    }
  united.nodes_begin = nodes_begin(united);
  return united;
}
} // namespace strut
