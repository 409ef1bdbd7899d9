// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/constraint_lines.h"
#include <strut/parallel/halo_exchange.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/map.hpp>
#include <boost/serialization/utility.hpp>

#include <strut/backend/backend.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/parallel/coarse_constraints.h"
#include "source/parallel/node_numbers.h"

namespace strut
{
namespace
{
using CoarseDof = dealii::types::global_dof_index;

/// Sum `u = sum of weight u_dof` over DoFs of the coarse mesh.
using Masters = std::vector<std::pair<CoarseDof, double>>;

/// The values of functions of a coarse mesh at the nodes of the next finer one.
class FineValues
{
public:
  /// @param fine, transfer  must outlive this object
  /// @param dofs  global indices at the owned coarse nodes, `[3 * n_owned_nodes]`. Collective.
  FineValues(const Communicator &communicator,
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

  /// Returns whether a coarse node is at the place of this fine DoF.
  bool has_dof_at(const LocalIndex dof) const
  {
    return at_[dof] >= 0.;
  }

  CoarseDof dof_at(const LocalIndex dof) const
  {
    return static_cast<CoarseDof>(at_[dof]);
  }

  /// Interpolates fine DoFs at places without a coarse node in the parents of their elements, on
  /// any rank. Collective.
  std::map<LocalIndex, Masters> interpolate(const std::set<LocalIndex> &wanted) const
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

private:
  /// A node and a place where it occurs: vertex v of element e of this rank, as `8 e + v`.
  using Corner = std::pair<LocalIndex, LocalIndex>;

  /// Corners with the nodes of these DoFs, ascending. Nodes without an element on this rank have
  /// none.
  std::vector<Corner> corners_of(const std::set<LocalIndex> &dofs) const
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
  Masters parents_of(const LocalIndex corner, const LocalIndex component) const
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
          result.emplace_back(static_cast<CoarseDof>(
                                of_coarse_nodes_[3 * std::size_t(nodes[p]) + component]),
                              weight);
      }
    return result;
  }

  /// Interpolates those DoFs that have an element on this rank.
  std::map<LocalIndex, Masters> interpolate_here(const std::set<LocalIndex> &wanted) const
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

  const Communicator communicator_;
  const ElementMesh &fine_;
  const LevelTransfer &transfer_;
  std::vector<double> of_coarse_nodes_; ///< DoFs of the nodes of the transfer
  std::vector<double> at_;              ///< coarse DoF at the place of each fine one, or -1
};

/// Most masters of a row on coarser meshes: more than a rotated face with hanging nodes has. The
/// damping of the smoother grows with their number, so rows of mean values are excluded.
constexpr std::size_t most_masters = 100;

/// Coarse DoFs, or some of them, that follow each fine master.
using Followers = std::map<CoarseDof, std::set<CoarseDof>>;

/// More than the parents of an interpolated master. A master with more followers leads a rigid
/// diaphragm.
constexpr std::size_t most_parents = 8;

/// Gathers the followers over all ranks, or more than most_parents of them. Collective.
/// @param followers  by the number of a fine master over all ranks, on this rank
Followers gather_followers(const Communicator &communicator, const Followers &followers)
{
  std::map<CoarseDof, std::vector<CoarseDof>> some; // a type that deal.II can send
  for (const auto &[master, dofs] : followers)
    for (auto dof = dofs.begin(); dof != dofs.end() && some[master].size() <= most_parents; ++dof)
      some[master].push_back(*dof);
  Followers all;
  for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator.mpi(), some))
    for (const auto &[master, dofs] : of_rank)
      all[master].insert(dofs.begin(), dofs.end());
  return all;
}

/// Makes the followers of one fine master follow the first of them. Collective.
/// @param followers  lines of owned coarse DoFs, each with the number of a fine master @param lines
/// all lines; DoFs with other constraints neither follow nor lead
void elect_masters(const Communicator &communicator,
                   const ConstraintLines &followers,
                   std::map<CoarseDof, ConstraintLine> &lines)
{
  std::map<CoarseDof, std::pair<CoarseDof, double>> first, elected;
  const auto enter =
    [](auto &list, const CoarseDof master, const CoarseDof dof, const double weight) {
      const auto [place, is_new] = list.emplace(master, std::pair(dof, weight));
      if (!is_new && dof < place->second.first)
        place->second = {dof, weight};
    };
  for (const ConstraintLine &line : followers)
    if (lines.count(line.dof) == 0)
      enter(first, line.masters[0].first, line.dof, line.masters[0].second);
  for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator.mpi(), first))
    for (const auto &[master, candidate] : of_rank)
      enter(elected, master, candidate.first, candidate.second);
  for (const ConstraintLine &line : followers)
    {
      const auto leader = elected.find(line.masters[0].first);
      if (leader != elected.end() && line.dof != leader->second.first)
        lines.try_emplace(line.dof,
                          ConstraintLine{line.dof,
                                         {{leader->second.first,
                                           line.masters[0].second / leader->second.second}},
                                         0.});
    }
}

/// Sends each line to the rank that owns its DoF. Collective.
ConstraintLines send_to_owners(const Communicator &communicator,
                               const std::map<CoarseDof, ConstraintLine> &lines,
                               const dealii::IndexSet &owned)
{
  ConstraintLines result;
  if (communicator.size() == 1)
    {
      for (const auto &[dof, line] : lines)
        result.push_back(line);
      return result;
    }
  dealii::IndexSet set(owned.size());
  std::vector<CoarseDof> dofs;
  for (const auto &[dof, line] : lines)
    dofs.push_back(dof);
  set.add_indices(dofs.begin(), dofs.end());
  set.compress();
  const auto owners = dealii::Utilities::MPI::compute_index_owner(owned, set, communicator.mpi());
  std::map<unsigned int, std::vector<std::pair<CoarseDof, Masters>>> messages;
  for (std::size_t k = 0; k < dofs.size(); ++k)
    messages[owners[k]].emplace_back(dofs[k], lines.at(dofs[k]).masters);
  std::map<CoarseDof, ConstraintLine> received;
  for (auto &[rank, message] : dealii::Utilities::MPI::some_to_some(communicator.mpi(), messages))
    for (auto &[dof, masters] : message)
      received[dof] = {dof, std::move(masters), 0.};
  for (auto &[dof, line] : received)
    result.push_back(std::move(line));
  return result;
}

/// Ties between DoFs of a coarse mesh that result from the dependent DoFs of the next finer one.
struct CoarseTies
{
  ConstraintLines lines;
  ConstraintLines followers; ///< lines with one fine master each, by its number over all ranks
  ConstraintLines lost;      ///< lines that were dropped, as they have too many masters
};

/// @param dofs  global indices at the owned coarse nodes. Collective.
CoarseTies find_ties(const Communicator &communicator,
                     const ElementMesh &fine,
                     const LevelTransfer &transfer,
                     const std::vector<CoarseDof> &dofs,
                     const dealii::IndexSet &owned)
{
  const FineValues values(communicator, fine, transfer, dofs);
  const auto backend                   = make_cpu_backend(1);
  const std::vector<double> fine_nodes = node_numbers(*backend, communicator, fine);
  const AffineRows &rows               = fine.dependent;
  const auto number_of                 = [&](const LocalIndex dof) {
    return 3 * static_cast<CoarseDof>(fine_nodes[dof / 3]) + dof % 3;
  };
  const auto follows_one = [&](const std::size_t k) {
    const std::uint32_t begin = rows.offsets[k];
    return rows.offsets[k + 1] == begin + 1 && rows.weights[begin] != 0. &&
           !values.has_dof_at(rows.masters[begin]);
  };

  // (1) The rows at coarse places, and rows with a single master that is at no coarse place.
  std::map<CoarseDof, ConstraintLine> lines, followers, lost;
  std::vector<std::size_t> at_coarse_places;
  std::set<LocalIndex> wanted; // masters at no coarse place
  Followers own_followers;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      if (rows.dofs[k] >= fine.n_owned_dofs() || !values.has_dof_at(rows.dofs[k]))
        continue;
      const CoarseDof dof       = values.dof_at(rows.dofs[k]);
      const std::uint32_t begin = rows.offsets[k], end = rows.offsets[k + 1];
      if (end - begin > most_masters)
        {
          lost[dof] = {dof, {}, 0.};
          continue;
        }
      at_coarse_places.push_back(k);
      for (std::uint32_t j = begin; j < end; ++j)
        if (!values.has_dof_at(rows.masters[j]))
          wanted.insert(rows.masters[j]);
      if (follows_one(k))
        own_followers[number_of(rows.masters[begin])].insert(dof);
    }
  const Followers all_followers                    = gather_followers(communicator, own_followers);
  const std::map<LocalIndex, Masters> interpolated = values.interpolate(wanted);

  // (2) Parents that follow their own child would form a cycle, so one of the followers leads
  // instead.
  const auto is_led = [&](const std::size_t k) {
    const LocalIndex master         = rows.masters[rows.offsets[k]];
    const std::set<CoarseDof> &dofs = all_followers.at(number_of(master));
    const Masters &parents          = interpolated.at(master);
    return dofs.size() > most_parents ||
           std::any_of(parents.begin(), parents.end(), [&](const auto &parent) {
             return dofs.count(parent.first) > 0;
           });
  };
  std::vector<std::size_t> composed;
  for (const std::size_t k : at_coarse_places)
    if (follows_one(k) && is_led(k))
      {
        const CoarseDof dof       = values.dof_at(rows.dofs[k]);
        const std::uint32_t begin = rows.offsets[k];
        followers[dof] = {dof, {{number_of(rows.masters[begin]), rows.weights[begin]}}, 0.};
      }
    else
      composed.push_back(k);

  // (3) Masters at coarse places, or their interpolation.
  for (const std::size_t k : composed)
    {
      ConstraintLine line{values.dof_at(rows.dofs[k]), {}, 0.};
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        if (const LocalIndex master = rows.masters[j]; values.has_dof_at(master))
          line.masters.emplace_back(values.dof_at(master), rows.weights[j]);
        else
          for (const auto &[parent, weight] : interpolated.at(master))
            line.masters.emplace_back(parent, rows.weights[j] * weight);
      lines[line.dof] = std::move(line);
    }
  return {send_to_owners(communicator, lines, owned),
          send_to_owners(communicator, followers, owned),
          send_to_owners(communicator, lost, owned)};
}

/// Maps each DoF to the three DoFs of its node.
NodesOfDofs nodes_of(const ElementMesh &mesh)
{
  NodesOfDofs nodes;
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      std::array<CoarseDof, 3> dofs;
      std::copy_n(&mesh.dof_indices[3 * node], 3, dofs.begin());
      for (const CoarseDof dof : dofs)
        nodes.emplace(dof, dofs);
    }
  return nodes;
}
} // namespace

std::optional<ResolvedConstraints> tie_coarse_dofs(const Communicator &communicator,
                                                   const ElementMesh &fine,
                                                   const LevelTransfer &transfer,
                                                   const ConstraintLines &hanging,
                                                   const dealii::IndexSet &owned,
                                                   const ElementMesh &coarse,
                                                   std::string &obstacle)
{
  const std::vector<CoarseDof> dofs(coarse.dof_indices.begin(),
                                    coarse.dof_indices.begin() +
                                      static_cast<std::ptrdiff_t>(coarse.n_owned_dofs()));
  const CoarseTies ties = find_ties(communicator, fine, transfer, dofs, owned);

  std::map<CoarseDof, ConstraintLine> lines;
  for (const LocalIndex dof : coarse.constrained_dofs)
    if (dof < coarse.n_owned_dofs())
      lines[dofs[dof]] = {dofs[dof], {}, 0.};
  for (const ConstraintLines *const some : {&hanging, &ties.lines})
    for (const ConstraintLine &line : *some)
      lines.try_emplace(line.dof, line);
  elect_masters(communicator, ties.followers, lines);
  const bool is_lost = std::any_of(ties.lost.begin(), ties.lost.end(), [&](const auto &line) {
    return lines.count(line.dof) == 0;
  });
  if (communicator.any(is_lost))
    {
      obstacle = "a degree of freedom depends on more than " + std::to_string(most_masters) +
                 " others, as in a mean value";
      return std::nullopt;
    }
  ConstraintLines all;
  for (auto &[dof, line] : lines)
    all.push_back(std::move(line));
  auto resolved = resolve_constraints(nodes_of(coarse), owned, all, communicator);
  if (!resolved)
    obstacle = "on a coarser mesh, degrees of freedom depend on others in a circle";
  return resolved;
}
} // namespace strut
