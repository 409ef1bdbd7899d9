// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/cell_order.h"
#include "source/mesh/ordering.h"

#include <deal.II/distributed/tria_base.h>

#include <deal.II/grid/tria.h>

#include <cstdint>

namespace strut
{
namespace
{
using CellIterator = dealii::Triangulation<3>::cell_iterator;

/// Visits a cell and its descendants, as deep as `stop` allows, and appends the last ones that
/// `take` accepts.
template <typename Stop, typename Take>
void descend(const CellIterator &cell,
             const Stop &stop,
             const Take &take,
             std::vector<CellPlace> &cells)
{
  if (stop(cell))
    {
      if (take(cell))
        cells.push_back({cell->level(), cell->index()});
    }
  else if (cell->has_children())
    for (unsigned int c = 0; c < cell->n_children(); ++c)
      descend(cell->child(c), stop, take, cells);
}

template <typename Stop, typename Take>
std::vector<CellPlace>
order(const dealii::Triangulation<3> &triangulation, const Stop &stop, const Take &take)
{
  // (1) The cells in the order of deal.II's coarse cells.
  std::vector<CellPlace> cells;
  std::vector<std::size_t> begin; // for each coarse cell that contains such cells
  std::vector<dealii::Point<3>> centre;
  for (auto root = triangulation.begin(0); root != triangulation.end(0); ++root)
    {
      const std::size_t before = cells.size();
      descend(root, stop, take, cells);
      if (cells.size() > before)
        {
          begin.push_back(before);
          centre.push_back(root->center());
        }
    }

  // (2) The coarse cells along the curve.
  const std::size_t n_roots = begin.size();
  begin.push_back(cells.size());
  std::vector<double> points(3 * n_roots);
  for (std::size_t r = 0; r < n_roots; ++r)
    for (int d = 0; d < 3; ++d)
      points[d * n_roots + r] = centre[r][d];
  std::vector<CellPlace> ordered;
  ordered.reserve(cells.size());
  for (const std::uint32_t r : hilbert_order(points, n_roots))
    ordered.insert(ordered.end(), cells.begin() + begin[r], cells.begin() + begin[r + 1]);
  return ordered;
}
} // namespace

std::vector<CellPlace> order_active_cells(const dealii::Triangulation<3> &triangulation)
{
  return order(
    triangulation,
    [](const CellIterator &cell) { return cell->is_active(); },
    [](const CellIterator &cell) {
      return dealii::Triangulation<3>::active_cell_iterator(cell)->is_locally_owned();
    });
}

std::vector<CellPlace> order_level_cells(const dealii::Triangulation<3> &triangulation,
                                         const int level)
{
  // Without owners of the levels, one rank owns all cells, but deal.II may report that no rank
  // does.
  const auto *const distributed =
    dynamic_cast<const dealii::parallel::TriangulationBase<3, 3> *>(&triangulation);
  const bool all = distributed != nullptr && !distributed->is_multilevel_hierarchy_constructed();
  return order(
    triangulation,
    [level](const CellIterator &cell) { return cell->level() == level; },
    [all](const CellIterator &cell) { return all || cell->is_locally_owned_on_level(); });
}
} // namespace strut
