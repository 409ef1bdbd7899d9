// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/lattice_cells.h"

#include "source/backend/filter_operations.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/maps/helmholtz_matrices.h"

#include <strut/backend/neighbourhood.h>

#include <algorithm>
#include <atomic>
#include <limits>

namespace strut
{
namespace
{
/// Returns the cell whose corners are the nodes of an element, or FilterLattice::nothing.
std::uint32_t cell_of(const LatticeCells &cells, const ElementMesh &mesh, const std::size_t e)
{
  std::array<std::uint32_t, 8> places;
  for (std::size_t v = 0; v < 8; ++v)
    places[v] = cells.place[mesh.connectivity[v * mesh.n_elements + e]];
  const std::uint32_t cell = *std::min_element(places.begin(), places.end());
  const auto n0            = static_cast<std::uint32_t>(cells.n[0]),
             n1            = static_cast<std::uint32_t>(cells.n[1]);
  if (cell % n0 + 1 == n0 || cell / n0 % n1 + 1 == n1)
    return FilterLattice::nothing;
  unsigned int corners = 0;
  for (const std::uint32_t place : places)
    {
      std::uint32_t beyond = place - cell;
      const bool is_above  = beyond >= n0 * n1;
      beyond -= is_above ? n0 * n1 : 0;
      const bool is_behind = beyond >= n0;
      beyond -= is_behind ? n0 : 0;
      if (beyond > 1)
        return FilterLattice::nothing;
      corners |= 1u << (beyond + 2 * is_behind + 4 * is_above);
    }
  return corners == 0xff ? cell : FilterLattice::nothing;
}

/// Finds the cells of one rank.
std::optional<LatticeCells> find_here(const ElementMesh &mesh, const int n_threads)
{
  LatticeCells cells;
  if (mesh.n_nodes == 0)
    return cells;
  if (has_hanging_nodes(mesh))
    return {};
  const auto points = PointLattice::find(mesh.coordinates, mesh.n_nodes, 0.);
  if (!points)
    return {};
  const std::size_t n_places = points->points.size();
  cells.n                    = points->n;
  cells.spacing              = points->spacing;
  cells.place.resize(mesh.n_nodes);
  cpu::parallel_for(n_threads, n_places, [&](const std::size_t at) {
    if (points->points[at] != PointLattice::nothing)
      cells.place[points->points[at]] = static_cast<std::uint32_t>(at);
  });
  cells.elements.assign(n_places, FilterLattice::nothing);
  std::atomic<bool> all_fit{true};
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    const std::uint32_t cell = cell_of(cells, mesh, e);
    if (cell == FilterLattice::nothing)
      all_fit.store(false, std::memory_order_relaxed);
    else // Another element may be in this cell.
      __atomic_store_n(&cells.elements[cell], static_cast<std::uint32_t>(e), __ATOMIC_RELAXED);
  });
  const double n_taken = cpu::parallel_sum(n_threads, n_places, [&](const std::size_t at) {
    return cells.elements[at] == FilterLattice::nothing ? 0. : 1.;
  });
  if (!all_fit || n_taken < static_cast<double>(mesh.n_elements))
    return {};
  return cells;
}
} // namespace

std::optional<LatticeCells>
LatticeCells::find(const Communicator &communicator, const ElementMesh &mesh, const int n_threads)
{
  auto cells = find_here(mesh, n_threads);
  if (communicator.any(!cells))
    return {};
  // The lumped mass of a node counts the elements of all ranks.
  const bool is_empty   = mesh.n_elements == 0;
  const double infinity = std::numeric_limits<double>::infinity();
  const double least    = communicator.min(is_empty ? infinity : cells->share()),
               most     = communicator.max(is_empty ? -infinity : cells->share());
  if (most - least > 1e-10 * most)
    return {};
  return cells;
}

unsigned int LatticeCells::elements_around(const std::size_t at) const
{
  // The place after the last node of a row belongs to another row, and no cell is there.
  unsigned int around = 0;
  for (unsigned int a = 0; a < 8; ++a)
    {
      const std::size_t offset =
        (a & 1) +
        static_cast<std::size_t>(n[0]) * ((a >> 1 & 1) + static_cast<std::size_t>(n[1]) * (a >> 2));
      if (offset <= at && elements[at - offset] != FilterLattice::nothing)
        around |= 1u << a;
    }
  return around;
}
} // namespace strut
