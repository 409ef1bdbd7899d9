// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/load_path.h"
#include "source/base/forest.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>

namespace strut
{
namespace
{
/// Actions on a part as bits, combined by or: a load, and LoadNodes::Holds.
constexpr unsigned int load_bit = 16, support_bits = 15;

bool is_held(const unsigned int action)
{
  return LoadNodes::suffice(static_cast<LoadNodes::Holds>(action & support_bits));
}
} // namespace

LoadPath::LoadPath(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &mesh,
                   const StateSolver &state,
                   const std::vector<std::uint8_t> &mirrors)
  : backend_(backend)
  , communicator_(communicator)
  , mesh_(mesh)
  , labels_(backend.memory(), mesh.n_nodes)
{
  // (1) Number the nodes over all ranks.
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  number_.assign(numbers.begin(), numbers.end());

  // (2) Find nodes that several ranks have.
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    shared_.insert(shared_.end(), neighbour.send.begin(), neighbour.send.end());
  for (std::size_t n = mesh.n_owned_nodes; n < mesh.n_nodes; ++n)
    shared_.push_back(static_cast<LocalIndex>(n));
  std::sort(shared_.begin(), shared_.end());
  shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());

  // (3) Find loads and supports.
  LoadNodes nodes(communicator, mesh, mirrors);
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      weighs_ = weighs_ || state.load_case(l).follows_design();
      nodes.add(state.load_case(l));
    }
  loaded_ = nodes.loaded();
  holds_  = nodes.holds();
}

std::unordered_map<LoadPath::GlobalNode, LoadPath::GlobalNode>
LoadPath::unite_labels(const std::vector<LocalIndex> &labels) const
{
  std::unordered_map<GlobalNode, GlobalNode> parent;
  const AffineRows &rows = mesh_.dependent;
  if (communicator_.size() == 1 && rows.empty())
    return parent;
  std::vector<double> pairs;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        const LocalIndex a = labels[rows.dofs[k] / 3], b = labels[rows.masters[j] / 3];
        if (a < mesh_.n_nodes && b < mesh_.n_nodes && a != b)
          {
            pairs.push_back(static_cast<double>(number_[a]));
            pairs.push_back(static_cast<double>(number_[b]));
          }
      }
  for (const LocalIndex node : shared_)
    if (labels[node] < mesh_.n_nodes)
      {
        pairs.push_back(static_cast<double>(number_[node]));
        pairs.push_back(static_cast<double>(number_[labels[node]]));
      }
  pairs = communicator_.gather(pairs);
  std::vector<double> numbers(pairs);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const auto place = [&](const double number) {
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), number) -
                                    numbers.begin());
  };
  Forest forest(numbers.size());
  for (std::size_t k = 0; k < pairs.size(); k += 2)
    forest.unite(place(pairs[k]), place(pairs[k + 1]));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    parent.emplace(static_cast<GlobalNode>(numbers[i]),
                   static_cast<GlobalNode>(numbers[forest.root(i)]));
  return parent;
}

LoadPath::Report LoadPath::update(const NodalFields &fields,
                                  const Array<DesignFlag> &flags,
                                  Array<double> &densities)
{
  fields.label_parts(densities, labels_);
  const std::vector<LocalIndex> labels = labels_.to_host();
  const auto shared                    = unite_labels(labels);
  const GlobalNode nowhere             = ~GlobalNode(0);
  const auto part_of                   = [&](const LocalIndex node) {
    const bool is_here = labels[node] < mesh_.n_nodes;
    // A node without material here may have some on another rank.
    const GlobalNode number = number_[is_here ? labels[node] : node];
    const auto found        = shared.find(number);
    return found != shared.end() ? found->second : is_here ? number : nowhere;
  };

  // (1) Find the actions on each part.
  Report report;
  std::unordered_map<GlobalNode, unsigned int> acts;
  bool lost = false;
  for (const LocalIndex node : loaded_)
    {
      const GlobalNode part = part_of(node);
      lost                  = lost || part == nowhere;
      acts[part] |= load_bit;
    }
  for (std::size_t node = 0; node < holds_.size(); ++node)
    if (holds_[node] != 0)
      acts[part_of(static_cast<LocalIndex>(node))] |= holds_[node];
  acts.erase(nowhere);
  if (communicator_.size() > 1)
    {
      std::vector<double> pairs;
      for (const auto &[part, action] : acts)
        {
          pairs.push_back(static_cast<double>(part));
          pairs.push_back(action);
        }
      pairs = communicator_.gather(pairs);
      for (std::size_t k = 0; k < pairs.size(); k += 2)
        acts[static_cast<GlobalNode>(pairs[k])] |= static_cast<unsigned int>(pairs[k + 1]);
    }
  if (communicator_.any(lost))
    report.obstacle = "a node with a load has no material around it";
  else
    for (const auto &[part, action] : acts)
      if ((action & load_bit) != 0 && !is_held(action))
        report.obstacle = "a part with a load is connected with no support";
  if (!report.obstacle.empty())
    return report;

  // (2) Remove islands.
  std::vector<std::uint8_t> keeps(mesh_.n_nodes, 0);
  for (std::size_t n = 0; n < mesh_.n_nodes; ++n)
    if (labels[n] == n)
      {
        const auto found     = acts.find(part_of(static_cast<LocalIndex>(n)));
        const bool is_wanted = found != acts.end() && ((found->second & load_bit) != 0 ||
                                                       (weighs_ && is_held(found->second)));
        keeps[n]             = is_wanted ? 1 : 0;
        report.n_islands += keeps[n] == 0 ? 1 : 0;
      }
  const bool has_islands = report.n_islands > 0;
  if (has_islands)
    report.volume =
      fields.drop_parts(labels_, Array<std::uint8_t>(backend_.memory(), keeps), flags, densities);
  report.n_islands = communicator_.sum(report.n_islands);
  report.volume    = communicator_.sum(report.volume);
  return report;
}
} // namespace strut
