// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/fine_values.h"

#include <deal.II/base/mpi.h>

#include <strut/backend/backend.h>
#include <strut/parallel/halo_exchange.h>

#include <algorithm>

#include "source/solvers/multigrid/coarse_constraints.h"

namespace strut
{
FineValues::FineValues(const Communicator &communicator,
                       const ElementMesh &fine,
                       const LevelTransfer &transfer,
                       const std::vector<CoarseDof> &dofs)
  : communicator_(communicator)
  , fine_(fine)
  , transfer_(transfer)
  , of_coarse_nodes_(3 * transfer.n_coarse_nodes, 0.)
  , at_(fine.n_dofs(), -1.)
{
  const auto backend = make_cpu_backend(1);
  std::copy(dofs.begin(), dofs.end(), of_coarse_nodes_.begin());
  Array<double> shared(backend->memory(), of_coarse_nodes_);
  HaloExchange<double>(*backend, communicator, transfer.coarse_nodes, 3).update_ghosts(shared);
  of_coarse_nodes_ = shared.to_host();

  // A rank with a hanging node may lack the coarse node there. So the ranks that have it tell the
  // owner.
  // values of the three DoFs, and the number of ranks
  std::vector<double> found(4 * fine.n_nodes, 0.);
  for_each_common_node(fine, transfer, [&](const std::size_t child, const std::size_t node) {
    std::copy_n(&of_coarse_nodes_[3 * node], 3, &found[4 * child]);
    found[4 * child + 3] = 1.;
  });
  Array<double> sums(backend->memory(), found);
  HaloExchange<double> exchange(*backend, communicator, fine.node_halo, 4);
  exchange.add_to_owners(sums);
  exchange.update_ghosts(sums);
  found = sums.to_host();
  for (std::size_t node = 0; node < fine.n_nodes; ++node)
    if (const double n = found[4 * node + 3]; n > 0.)
      for (std::size_t c = 0; c < 3; ++c)
        at_[3 * node + c] = found[4 * node + c] / n;
}

std::vector<FineValues::Corner> FineValues::corners_of(const std::set<LocalIndex> &dofs) const
{
  std::vector<Corner> result;
  if (dofs.empty())
    return result;
  std::vector<bool> is_wanted(fine_.n_nodes, false);
  for (const LocalIndex dof : dofs)
    is_wanted[dof / 3] = true;
  const std::size_t n = fine_.n_elements;
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      if (const LocalIndex node = fine_.connectivity[v * n + e]; is_wanted[node])
        {
          result.emplace_back(node, static_cast<LocalIndex>(8 * e + v));
          is_wanted[node] = false;
        }
  std::sort(result.begin(), result.end());
  return result;
}

/// Trilinear interpolation in the parent, of which the element is an octant.
FineValues::Masters FineValues::parents_of(const LocalIndex corner,
                                           const LocalIndex component) const
{
  const std::size_t e = corner / 8, v = corner % 8, octant = transfer_.octants[e];
  const bool whole  = octant == LevelTransfer::whole;
  const auto &nodes = transfer_.parent_nodes[transfer_.parents[e]];
  Masters result;
  for (std::size_t p = 0; p < 8; ++p)
    {
      double weight = whole && p != v ? 0. : 1.;
      for (std::size_t d = 0; d < 3 && !whole; ++d)
        {
          const double x = 0.5 * static_cast<double>((octant >> d & 1u) + (v >> d & 1u));
          weight *= (p >> d & 1u) != 0 ? x : 1. - x;
        }
      if (weight > 0.)
        result.emplace_back(
          static_cast<CoarseDof>(of_coarse_nodes_[3 * std::size_t(nodes[p]) + component]), weight);
    }
  return result;
}

std::map<LocalIndex, FineValues::Masters>
FineValues::interpolate_here(const std::set<LocalIndex> &wanted) const
{
  std::map<LocalIndex, Masters> result;
  const std::vector<Corner> corners = corners_of(wanted);
  for (const LocalIndex dof : wanted)
    {
      const auto node = std::lower_bound(corners.begin(), corners.end(), Corner(dof / 3, 0));
      if (node != corners.end() && node->first == dof / 3)
        result[dof] = parents_of(node->second, dof % 3);
    }
  return result;
}

std::map<LocalIndex, FineValues::Masters>
FineValues::interpolate(const std::set<LocalIndex> &wanted) const
{
  std::map<LocalIndex, Masters> result = interpolate_here(wanted);
  if (communicator_.size() == 1)
    return result;

  // The owners of nodes without an element here are asked, by the positions in their messages.
  std::map<unsigned int, std::vector<std::uint32_t>> questions;
  std::map<unsigned int, std::vector<LocalIndex>> asked;
  std::map<unsigned int, const HaloPattern::Neighbour *> neighbours;
  for (const HaloPattern::Neighbour &neighbour : fine_.node_halo.neighbours)
    {
      const auto rank  = static_cast<unsigned int>(neighbour.rank);
      neighbours[rank] = &neighbour;
      for (const LocalIndex dof : wanted)
        if (result.count(dof) == 0 && dof / 3 >= neighbour.ghosts_begin &&
            dof / 3 < neighbour.ghosts_end)
          {
            questions[rank].push_back(dof - 3 * neighbour.ghosts_begin);
            asked[rank].push_back(dof);
          }
    }
  const auto received = dealii::Utilities::MPI::some_to_some(communicator_.mpi(), questions);
  const auto own_dof  = [&](const unsigned int rank, const std::uint32_t question) {
    return static_cast<LocalIndex>(3 * neighbours.at(rank)->send[question / 3] + question % 3);
  };
  std::set<LocalIndex> of_others;
  for (const auto &[rank, some] : received)
    for (const std::uint32_t question : some)
      of_others.insert(own_dof(rank, question));
  const std::map<LocalIndex, Masters> own = interpolate_here(of_others);
  std::map<unsigned int, std::vector<Masters>> answers;
  for (const auto &[rank, some] : received)
    for (const std::uint32_t question : some)
      answers[rank].push_back(own.at(own_dof(rank, question)));
  for (const auto &[rank, given] :
       dealii::Utilities::MPI::some_to_some(communicator_.mpi(), answers))
    for (std::size_t k = 0; k < given.size(); ++k)
      result[asked.at(rank)[k]] = given[k];
  return result;
}
} // namespace strut
