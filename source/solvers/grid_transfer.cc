// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/grid_transfer.h"

#include <strut/base/exceptions.h>

#include <numeric>

namespace strut
{
namespace
{
/// Running sums with a leading zero.
std::vector<std::uint32_t> begins(const std::vector<std::uint32_t> &counts)
{
  std::vector<std::uint32_t> result(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), result.begin() + 1);
  return result;
}
} // namespace

InterpolationTables InterpolationTables::build(const ElementMesh &fine,
                                               const LevelTransfer &transfer)
{
  constexpr std::size_t most_nodes    = std::size_t(1) << 30;
  constexpr std::size_t most_elements = std::size_t(1) << (32 - NodeInterpolation::bits_of_place);
  if (fine.n_owned_nodes > most_nodes)
    throw Error("Multigrid can number " + std::to_string(most_nodes) +
                  " nodes of a rank, and the mesh has " + std::to_string(fine.n_owned_nodes) + ".",
                Remedy::use_more_ranks);
  const std::size_t n = fine.n_elements;
  InterpolationTables tables;

  // (1) The parents, each once. Those that have the same vertex 0 are a list.
  constexpr std::uint32_t none = ~std::uint32_t(0);
  std::vector<std::uint32_t> last_at(transfer.n_coarse_nodes, none), before;
  std::vector<std::uint32_t> parent_of(n);
  for (std::size_t e = 0; e < n; ++e)
    {
      const auto is_parent = [&](const std::uint32_t p) {
        for (std::size_t w = 0; w < 8; ++w)
          if (tables.elements[8 * std::size_t(p) + w] != transfer.parent_nodes[w * n + e])
            return false;
        return true;
      };
      std::uint32_t &last  = last_at[transfer.parent_nodes[e]];
      std::uint32_t parent = last;
      while (parent != none && !is_parent(parent))
        parent = before[parent];
      if (parent == none)
        {
          parent = static_cast<std::uint32_t>(before.size());
          for (std::size_t w = 0; w < 8; ++w)
            tables.elements.push_back(transfer.parent_nodes[w * n + e]);
          before.push_back(last);
          last = parent;
        }
      parent_of[e] = parent;
    }
  if (before.size() > most_elements)
    throw Error("Multigrid can number " + std::to_string(most_elements) +
                  " coarse elements of a rank, and there are " + std::to_string(before.size()) +
                  ".",
                Remedy::use_more_ranks);

  // (2) Vertex v of the child at octant c sits at place (c + v) of the lattice of its parent.
  tables.places.resize(fine.n_owned_nodes);
  for (std::size_t e = n; e-- > 0;) // the first element around a node has the last word
    for (unsigned int v = 0; v < 8; ++v)
      {
        const LocalIndex node = fine.connectivity[v * n + e];
        if (node >= fine.n_owned_nodes)
          continue;
        const auto at = [&](const unsigned int d) {
          return (transfer.octants[e] >> d & 1u) + (v >> d & 1u);
        };
        tables.places[node] =
          parent_of[e] << NodeInterpolation::bits_of_place | at(0) | at(1) << 2 | at(2) << 4;
      }

  // (3) The transpose.
  std::vector<std::uint32_t> n_children(transfer.n_coarse_nodes, 0);
  for (std::size_t node = 0; node < fine.n_owned_nodes; ++node)
    NodeInterpolation::for_each_parent(tables.places[node],
                                       tables.elements.data(),
                                       [&](const std::uint32_t parent) { ++n_children[parent]; });
  tables.children_begin = begins(n_children);
  tables.children.resize(tables.children_begin.back());
  std::vector<std::uint32_t> next(tables.children_begin.begin(), tables.children_begin.end() - 1);
  for (std::uint32_t node = 0; node < fine.n_owned_nodes; ++node)
    NodeInterpolation::for_each_parent(
      tables.places[node], tables.elements.data(), [&](const std::uint32_t parent) {
        tables.children[next[parent]++] =
          node << 2 | NodeInterpolation::place(tables.places[node]).log2_parents();
      });
  return tables;
}

template <typename Number>
GridTransfer<Number>::GridTransfer(Backend &backend,
                                   const Communicator &communicator,
                                   const ElementMesh &fine,
                                   const CoarseLevel &coarse)
  : backend_(backend)
  , n_owned_coarse_(coarse.mesh.n_owned_dofs())
  , has_ghosts_(communicator.size() > 1)
  , halo_(backend, communicator, coarse.transfer.coarse_nodes, 3)
{
  const InterpolationTables tables = InterpolationTables::build(fine, coarse.transfer);
  Memory &memory                   = backend.memory();
  interpolation_.places            = Array<std::uint32_t>(memory, tables.places);
  interpolation_.elements          = Array<std::uint32_t>(memory, tables.elements);
  interpolation_.children_begin    = Array<std::uint32_t>(memory, tables.children_begin);
  interpolation_.children          = Array<std::uint32_t>(memory, tables.children);
  interpolation_.n_fine            = fine.n_owned_nodes;
  interpolation_.n_coarse          = coarse.transfer.n_coarse_nodes;
  if (has_ghosts_)
    with_ghosts_ = Array<Number>(memory, 3 * coarse.transfer.n_coarse_nodes);
}

template <typename Number>
void GridTransfer<Number>::prolongate(const Array<Number> &coarse, Array<Number> &fine)
{
  const auto &multigrid = backend_.multigrid_operations<Number>();
  if (!has_ghosts_)
    return multigrid.prolongate(interpolation_, coarse, fine);
  backend_.vector_operations<Number>().copy(n_owned_coarse_, coarse, with_ghosts_);
  halo_.update_ghosts(with_ghosts_);
  multigrid.prolongate(interpolation_, with_ghosts_, fine);
}

template <typename Number>
void GridTransfer<Number>::restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse)
{
  const auto &multigrid = backend_.multigrid_operations<Number>();
  if (!has_ghosts_)
    return multigrid.restrict_to_parents(interpolation_, fine, coarse);
  multigrid.restrict_to_parents(interpolation_, fine, with_ghosts_);
  halo_.add_to_owners(with_ghosts_);
  backend_.vector_operations<Number>().copy(n_owned_coarse_, with_ghosts_, coarse);
}

template class GridTransfer<double>;
template class GridTransfer<float>;

ChildrenMean::ChildrenMean(Backend &backend,
                           const Communicator &communicator,
                           const ElementMesh &fine,
                           const CoarseLevel &coarse)
  : backend_(backend)
  , n_fine_(fine.n_elements)
  , n_coarse_(coarse.mesh.n_elements)
  , children_(backend.memory(), coarse.transfer.children)
  , has_ghosts_(communicator.size() > 1)
  , halo_(backend, communicator, coarse.transfer.fine_elements, 1)
{
  if (has_ghosts_)
    with_ghosts_ = Array<double>(backend.memory(), coarse.transfer.n_children);
}

void ChildrenMean::apply(const Array<double> &fine, Array<double> &coarse)
{
  const LevelOperations &levels = backend_.level_operations();
  if (!has_ghosts_)
    return levels.mean_of_children(n_coarse_, children_, fine, coarse);
  backend_.vector_operations<double>().copy(n_fine_, fine, with_ghosts_);
  halo_.update_ghosts(with_ghosts_);
  levels.mean_of_children(n_coarse_, children_, with_ghosts_, coarse);
}
} // namespace strut
