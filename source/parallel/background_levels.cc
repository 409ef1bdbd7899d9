// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/background_levels.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "source/base/filled_vector.h"
#include "source/mesh/background_cells.h"
#include "source/mesh/share_rows.h"
#include "source/parallel/united_cells.h"

namespace strut
{
namespace
{
/// The cells or nodes of a level on a rank: its own ones, then ghosts by owner.
class Layout
{
public:
  /// @param begin  `[n_ranks + 1]`: the first one that each rank owns
  /// @param for_used  for_used(rank, body) calls body(number) for all that a rank uses, in any
  ///   order
  template <typename ForUsed>
  Layout(const std::vector<LocalIndex> &begin, const std::size_t rank, const ForUsed &for_used)
    : first_(begin[rank]), end_(begin[rank + 1])
  {
    for_used(rank, [&](const LocalIndex number) {
      if (!owns(number))
        ghosts_.push_back(number);
    });
    sort_and_unite(ghosts_);
    const auto ghost_from = [&](const LocalIndex number) {
      return (*this)(std::lower_bound(ghosts_.begin(), ghosts_.end(), number));
    };
    for (std::size_t other = 0; other + 1 < begin.size(); ++other)
      {
        if (other == rank)
          continue;
        HaloPattern::Neighbour neighbour;
        neighbour.rank = static_cast<int>(other);
        for_used(other, [&](const LocalIndex number) {
          if (owns(number))
            neighbour.send.push_back(number - first_);
        });
        sort_and_unite(neighbour.send);
        neighbour.ghosts_begin = ghost_from(begin[other]);
        neighbour.ghosts_end   = ghost_from(begin[other + 1]);
        if (!neighbour.send.empty() || neighbour.ghosts_end > neighbour.ghosts_begin)
          halo.neighbours.push_back(std::move(neighbour));
      }
  }

  std::size_t n_owned() const
  {
    return end_ - first_;
  }
  std::size_t size() const
  {
    return n_owned() + ghosts_.size();
  }

  /// The local number of an entity that this rank has.
  LocalIndex operator()(const LocalIndex number) const
  {
    return owns(number) ? number - first_
                        : (*this)(std::lower_bound(ghosts_.begin(), ghosts_.end(), number));
  }

  /// Calls body(number) for all entities in their order.
  template <typename Body>
  void for_all(const Body &body) const
  {
    for (LocalIndex number = first_; number < end_; ++number)
      body(number);
    for (const LocalIndex ghost : ghosts_)
      body(ghost);
  }

  HaloPattern halo;

private:
  static void sort_and_unite(std::vector<LocalIndex> &numbers)
  {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }

  bool owns(const LocalIndex number) const
  {
    return first_ <= number && number < end_;
  }

  LocalIndex operator()(const std::vector<LocalIndex>::const_iterator ghost) const
  {
    return static_cast<LocalIndex>(n_owned() + static_cast<std::size_t>(ghost - ghosts_.begin()));
  }

  LocalIndex first_, end_;
  std::vector<LocalIndex> ghosts_;
};

/// The cells of a rank as a mesh.
///
/// @param spacing  edge lengths of the cells of this grid
ElementMesh mesh_of(const UnitedCells &united,
                    const std::size_t rank,
                    const std::array<double, 3> &origin,
                    const std::array<double, 3> &spacing)
{
  const BackgroundCells &cells = united.cells;
  const Layout nodes(united.nodes_begin, rank, [&](const std::size_t of_rank, const auto &body) {
    for (LocalIndex c = united.cells_begin[of_rank]; c < united.cells_begin[of_rank + 1]; ++c)
      for (const LocalIndex node : cells.nodes[c])
        body(node);
  });
  ElementMesh mesh;
  const std::size_t first = united.cells_begin[rank];
  const std::size_t n = mesh.n_elements = united.cells_begin[rank + 1] - first;
  mesh.n_owned_nodes                    = nodes.n_owned();
  mesh.n_nodes                          = nodes.size();
  mesh.node_halo                        = nodes.halo;
  mesh.coordinates.resize(3 * mesh.n_nodes);
  mesh.connectivity.resize(8 * n);
  for (std::size_t cell = 0; cell < n; ++cell)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex node           = nodes(cells.nodes[first + cell][v]);
        mesh.connectivity[v * n + cell] = node;
        for (std::size_t d = 0; d < 3; ++d)
          mesh.coordinates[d * mesh.n_nodes + node] =
            origin[d] + (cells.places[first + cell][d] + (v >> d & 1u)) * spacing[d];
      }
  return mesh;
}

/// Rows for all coarse cells of a layout. Row k of the shares is added to row row_of(k), several to
/// one.
template <typename RowOf>
StiffnessShares
arrange(StiffnessShares shares, const std::size_t n_rows, const RowOf &row_of, const int n_threads)
{
  const std::size_t n = shares.begin.size() - 1;
  bool stays          = n == n_rows;
  for (std::size_t k = 0; stays && k < n; ++k)
    stays = row_of(k) == k;
  if (stays)
    return shares;
  std::vector<ElementShare> entries =
    cpu::filled_vector<ElementShare>(n_threads, shares.elements.size());
  cpu::parallel_for(n_threads, n, [&](const std::size_t k) {
    for (LocalIndex j = shares.begin[k]; j < shares.begin[k + 1]; ++j)
      entries[j] = {row_of(k), shares.elements[j], shares.weights[j]};
  });
  return rows_of_shares(n_threads, n_rows, std::move(entries));
}

/// The common part of both kinds of transfer: the coarse cells that the finer elements of this rank
/// touch.
LevelTransfer transfer_to(const UnitedCells &coarse, const std::size_t rank, const Layout &touched)
{
  const Layout nodes(coarse.nodes_begin, rank, [&](const std::size_t of_rank, const auto &body) {
    for (const LocalIndex cell : coarse.of_ranks[of_rank])
      for (const LocalIndex node : coarse.cells.nodes[cell])
        body(node);
  });
  LevelTransfer transfer;
  transfer.n_coarse_nodes  = nodes.size();
  transfer.coarse_nodes    = nodes.halo;
  transfer.coarse_elements = touched.halo;
  touched.for_all([&](const LocalIndex cell) {
    transfer.parent_nodes.emplace_back();
    for (std::size_t v = 0; v < 8; ++v)
      transfer.parent_nodes.back()[v] = nodes(coarse.cells.nodes[cell][v]);
  });
  return transfer;
}

Layout touched_cells(const UnitedCells &coarse, const std::size_t rank)
{
  return {coarse.cells_begin, rank, [&](const std::size_t of_rank, const auto &body) {
            for (const LocalIndex cell : coarse.of_ranks[of_rank])
              body(cell);
          }};
}

/// The transfer between a mesh and the first cells.
///
/// @param own  cells of the elements of this rank
LevelTransfer transfer_of(const ElementMesh &mesh,
                          FirstBackground own,
                          const UnitedCells &coarse,
                          const std::size_t rank,
                          const int n_threads)
{
  const Layout touched   = touched_cells(coarse, rank);
  const auto cell_of     = [&](const std::size_t k) { return touched(coarse.of_ranks[rank][k]); };
  LevelTransfer transfer = transfer_to(coarse, rank, touched);
  transfer.n_children    = mesh.n_elements;
  transfer.shares        = arrange(std::move(own.shares), touched.size(), cell_of, n_threads);
  transfer.places        = std::move(own.nodes);
  for (LocalIndex &cell : transfer.places.elements)
    cell = cell_of(cell);
  return transfer;
}

/// The transfer between cells and those behind them, which are doubled along some axes.
///
/// @param mesh  of the cells of this rank
LevelTransfer transfer_of(const ElementMesh &mesh,
                          const UnitedCells &fine,
                          const std::vector<LocalIndex> &parents,
                          const UnitedCells &coarse,
                          const std::size_t rank,
                          const int n_threads)
{
  const Layout touched                  = touched_cells(coarse, rank);
  LevelTransfer transfer                = transfer_to(coarse, rank, touched);
  const BackgroundCells::Place n_places = fine.cells.n_places;
  const auto is_doubled                 = [&](const std::size_t d) { return n_places[d] > 1; };
  const bool by_octants                 = is_doubled(0) && is_doubled(1) && is_doubled(2);
  float weight                          = 1.f;
  for (std::size_t d = 0; d < 3; ++d)
    weight *= is_doubled(d) ? 0.5f : 1.f;
  if (!by_octants)
    {
      transfer.places.elements.resize(mesh.n_owned_nodes);
      transfer.places.places.resize(3 * mesh.n_owned_nodes);
    }
  StiffnessShares own; // one row per child
  std::vector<LocalIndex> parent_of;
  for (LocalIndex c = fine.cells_begin[rank]; c < fine.cells_begin[rank + 1]; ++c)
    {
      const BackgroundCells::Place &place = fine.cells.places[c];
      const std::size_t child             = parent_of.size();
      parent_of.push_back(touched(parents[c]));
      own.begin.push_back(static_cast<LocalIndex>(child));
      own.elements.push_back(static_cast<LocalIndex>(child));
      if (by_octants)
        transfer.octants.push_back(
          static_cast<std::uint8_t>((place[0] & 1u) | (place[1] & 1u) << 1 | (place[2] & 1u) << 2));
      else
        for (std::size_t v = 0; v < 8; ++v)
          {
            const std::size_t node = mesh.connectivity[v * mesh.n_elements + child];
            if (node >= mesh.n_owned_nodes)
              continue;
            transfer.places.elements[node] = parent_of.back();
            for (std::size_t d = 0; d < 3; ++d)
              {
                const unsigned int end = v >> d & 1u;
                transfer.places.places[3 * node + d] =
                  is_doubled(d) ? 0.5 * ((place[d] & 1u) + end) : end;
              }
          }
    }
  own.begin.push_back(static_cast<LocalIndex>(own.elements.size()));
  // if there are fewer children, the rest is void
  own.weights.assign(own.elements.size(), weight);
  transfer.n_children = own.elements.size();
  transfer.shares     = arrange(
    std::move(own),
    touched.size(),
    [&](const std::size_t child) { return parent_of[child]; },
    n_threads);
  if (by_octants)
    transfer.parents = std::move(parent_of);
  return transfer;
}
} // namespace

MeshHierarchy background_levels(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &volumes,
                                const int n_threads,
                                const GridSpacing &spacing)
{
  MeshHierarchy levels;
  if (communicator.sum(mesh.n_elements) == 0)
    return levels;
  FirstBackground first        = put_cells_behind(communicator, mesh, volumes, spacing, n_threads);
  const std::size_t n_gathered = 8 * first.cells.size() + 3 * first.at_shared_nodes.size();
  if (communicator.sum(n_gathered) > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return levels;
  const auto rank                    = static_cast<std::size_t>(communicator.rank());
  const std::array<double, 3> origin = first.origin;
  std::array<double, 3> of_the_grid  = first.spacing;
  UnitedCells cells                  = unite(communicator, mesh, first);
  levels.push_back({mesh_of(cells, rank, origin, of_the_grid),
                    transfer_of(mesh, std::move(first), cells, rank, n_threads)});
  while (*std::max_element(cells.cells.n_places.begin(), cells.cells.n_places.end()) > 1)
    {
      std::vector<LocalIndex> parents;
      UnitedCells coarse = put_cells_behind(cells, parents);
      for (std::size_t d = 0; d < 3; ++d)
        if (cells.cells.n_places[d] > 1)
          of_the_grid[d] *= 2.;
      LevelTransfer transfer =
        transfer_of(levels.back().mesh, cells, parents, coarse, rank, n_threads);
      levels.push_back({mesh_of(coarse, rank, origin, of_the_grid), std::move(transfer)});
      cells = std::move(coarse);
    }
  for (CoarseLevel &level : levels)
    level.mesh.n_components = mesh.n_components;
  return levels;
}
} // namespace strut
