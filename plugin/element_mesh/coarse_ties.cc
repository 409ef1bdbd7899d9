// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/coarse_ties.h"

#include <deal.II/base/mpi.h>

#include <strut/backend/backend.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/element_mesh/fine_values.h"
#include "source/parallel/node_numbers.h"

namespace strut
{
namespace
{
using CoarseDof = dealii::types::global_dof_index;
using Masters   = FineValues::Masters;

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
