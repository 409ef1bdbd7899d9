// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/cell_keys.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <string>

#include "plugin/base/coarse_cell.h"
#include "plugin/base/of_elements.h"

namespace strut::plugin
{
namespace
{
constexpr unsigned int available_bits = 61; // three more number the vertices

/// Three bits per level; fewer levels than the finest leave the low bits zero. Active cells do not
/// overlap, so no two have the same number.
std::uint64_t key_of(const dealii::CellAccessor<3, 3> &cell, const unsigned int n_levels)
{
  const dealii::CellId id = cell.id();
  std::uint64_t key       = coarse_cell_of(cell);
  const auto &children    = id.get_child_indices();
  for (unsigned int level = 0; level + 1 < n_levels; ++level)
    key = key << 3 | (level < children.size() ? children[level] : 0);
  return key;
}
} // namespace

std::vector<std::uint64_t> cell_keys(const dealii::DoFHandler<3> &dof_handler,
                                     const ElementMesh &mesh)
{
  const dealii::Triangulation<3> &triangulation = dof_handler.get_triangulation();
  const unsigned int n_levels                   = triangulation.n_global_levels();
  const std::uint64_t n_coarse_cells            = triangulation.n_global_coarse_cells();
  const unsigned int bits_of_levels             = 3 * (n_levels - 1);
  if (bits_of_levels >= available_bits ||
      n_coarse_cells > (std::uint64_t(1) << (available_bits - bits_of_levels)))
    throw Error("strut cannot number the cells of this mesh: " + std::to_string(n_coarse_cells) +
                " coarse cells refined " + std::to_string(n_levels - 1) + " times need more than " +
                std::to_string(available_bits) +
                " bits.\n  Use a coarse mesh with fewer cells or fewer refinements.");
  return of_elements<std::uint64_t>(triangulation, mesh, [&](const auto &cell) {
    return key_of(cell, n_levels);
  });
}
} // namespace strut::plugin
