// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/solvers/grid_transfer.h>

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

InterpolationRows InterpolationRows::build(const ElementMesh &fine, const LevelTransfer &transfer)
{
  constexpr std::size_t most_nodes = std::size_t(1) << 30;
  if (fine.n_owned_nodes > most_nodes)
    throw Error("Multigrid can number " + std::to_string(most_nodes) +
                " nodes of a rank, and the mesh has " + std::to_string(fine.n_owned_nodes) +
                ".\n  Use more MPI ranks.");

  // (1) Vertex v of the child at octant c sits at place (c + v) of the 3x3x3 lattice of its parent;
  // place 1 is in the middle between the vertices 0 and 1 of that direction.
  const auto place = [&](const std::size_t e, const unsigned int v, const unsigned int d) {
    return (transfer.octants[e] >> d & 1u) + (v >> d & 1u);
  };
  std::vector<std::uint32_t> n_parents(fine.n_owned_nodes, 0);
  for (std::size_t e = 0; e < fine.n_elements; ++e)
    for (unsigned int v = 0; v < 8; ++v)
      {
        const LocalIndex node = fine.connectivity[v * fine.n_elements + e];
        if (node < fine.n_owned_nodes)
          n_parents[node] = (place(e, v, 0) == 1 ? 2u : 1u) * (place(e, v, 1) == 1 ? 2u : 1u) *
                            (place(e, v, 2) == 1 ? 2u : 1u);
      }

  InterpolationRows rows;
  rows.parents_begin = begins(n_parents);
  rows.parents.resize(rows.parents_begin.back());
  std::vector<std::uint32_t> n_children(transfer.n_coarse_nodes, 0);
  std::vector<bool> done(fine.n_owned_nodes, false);
  for (std::size_t e = 0; e < fine.n_elements; ++e)
    for (unsigned int v = 0; v < 8; ++v)
      {
        const LocalIndex node = fine.connectivity[v * fine.n_elements + e];
        if (node >= fine.n_owned_nodes || done[node])
          continue;
        done[node]      = true;
        std::uint32_t k = rows.parents_begin[node];
        for (unsigned int w = 0; w < 8; ++w)
          {
            bool is_parent = true;
            for (unsigned int d = 0; d < 3; ++d)
              is_parent = is_parent && (place(e, v, d) == 1 || place(e, v, d) == 2 * (w >> d & 1u));
            if (!is_parent)
              continue;
            const LocalIndex parent = transfer.parent_nodes[w * fine.n_elements + e];
            rows.parents[k++]       = parent;
            ++n_children[parent];
          }
      }

  // (2) The transpose.
  rows.children_begin = begins(n_children);
  rows.children.resize(rows.parents.size());
  std::vector<std::uint32_t> next(rows.children_begin.begin(), rows.children_begin.end() - 1);
  for (std::uint32_t node = 0; node < fine.n_owned_nodes; ++node)
    {
      const std::uint32_t count = n_parents[node];
      const std::uint32_t log2  = count == 1 ? 0u : count == 2 ? 1u : count == 4 ? 2u : 3u;
      for (std::uint32_t k = rows.parents_begin[node]; k < rows.parents_begin[node + 1]; ++k)
        rows.children[next[rows.parents[k]]++] = node << 2 | log2;
    }
  return rows;
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
  const InterpolationRows rows  = InterpolationRows::build(fine, coarse.transfer);
  Memory &memory                = backend.memory();
  interpolation_.parents_begin  = Array<std::uint32_t>(memory, rows.parents_begin);
  interpolation_.parents        = Array<std::uint32_t>(memory, rows.parents);
  interpolation_.children_begin = Array<std::uint32_t>(memory, rows.children_begin);
  interpolation_.children       = Array<std::uint32_t>(memory, rows.children);
  interpolation_.n_fine         = fine.n_owned_nodes;
  interpolation_.n_coarse       = coarse.transfer.n_coarse_nodes;
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
