// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/load_path.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>

namespace strut
{
namespace
{
/// What acts on a part, added up as bits.
constexpr unsigned int has_load = 1, has_support = 2;
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
  // (1) Numbers of the nodes over all ranks.
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  number_.assign(numbers.begin(), numbers.end());

  // (2) Those that several ranks have.
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    shared_.insert(shared_.end(), neighbour.send.begin(), neighbour.send.end());
  for (std::size_t n = mesh.n_owned_nodes; n < mesh.n_nodes; ++n)
    shared_.push_back(static_cast<LocalIndex>(n));
  std::sort(shared_.begin(), shared_.end());
  shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());

  // (3) Loads and supports. A displacement that is prescribed is both.
  std::vector<bool> is_loaded(mesh.n_owned_nodes, false), is_held(3 * mesh.n_nodes, false);
  std::vector<LocalIndex> mirrored;
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    {
      const LocalIndex dof = mesh.constrained_dofs[i];
      is_held[dof]         = true;
      const bool by_mirror = !mirrors.empty() && (mirrors[dof / 3] >> dof % 3 & 1) != 0;
      (by_mirror ? mirrored : held_).push_back(dof / 3);
      if (mesh.constrained_values[i] != 0. && dof / 3 < mesh.n_owned_nodes)
        is_loaded[dof / 3] = true;
    }
  if (!communicator.any(!held_.empty()))
    held_ = mirrored;
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end()); // DoFs ascend
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      const LoadCase &load_case = state.load_case(l);
      weighs_                   = weighs_ || load_case.has_weight;
      for (std::size_t dof = 0; dof < load_case.forces.size(); ++dof)
        if (load_case.forces[dof] != 0. && !is_held[dof])
          is_loaded[dof / 3] = true;
    }
  for (std::size_t n = 0; n < is_loaded.size(); ++n)
    if (is_loaded[n])
      loaded_.push_back(static_cast<LocalIndex>(n));
}

std::vector<std::uint8_t> LoadPath::elements_at_loads(const bool and_at_supports) const
{
  std::vector<double> marks(mesh_.n_nodes, 0.);
  for (const LocalIndex node : loaded_)
    marks[node] = 1.;
  marks = as_owners_have_it(backend_, communicator_, mesh_, marks);
  if (and_at_supports)
    for (const LocalIndex node : held_)
      marks[node] = 1.;
  std::vector<std::uint8_t> elements(mesh_.n_elements, 0);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (marks[mesh_.connectivity[v * mesh_.n_elements + e]] > 0.)
        elements[e] = 1;
  return elements;
}

std::unordered_map<LoadPath::GlobalNode, LoadPath::GlobalNode>
LoadPath::unite_ranks(const std::vector<LocalIndex> &labels) const
{
  std::unordered_map<GlobalNode, GlobalNode> parent;
  if (communicator_.size() == 1)
    return parent;
  std::vector<double> pairs;
  for (const LocalIndex node : shared_)
    if (labels[node] < mesh_.n_nodes)
      {
        pairs.push_back(static_cast<double>(number_[node]));
        pairs.push_back(static_cast<double>(number_[labels[node]]));
      }
  pairs           = communicator_.gather(pairs);
  const auto root = [&](GlobalNode i) {
    GlobalNode p = parent.emplace(i, i).first->second;
    while (p != i)
      {
        const GlobalNode grandparent = parent[p];
        parent[i]                    = grandparent;
        i                            = p;
        p                            = grandparent;
      }
    return i;
  };
  for (std::size_t k = 0; k < pairs.size(); k += 2)
    {
      const GlobalNode a     = root(static_cast<GlobalNode>(pairs[k]));
      const GlobalNode b     = root(static_cast<GlobalNode>(pairs[k + 1]));
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (auto &[i, p] : parent)
    p = root(i);
  return parent;
}

LoadPath::Report LoadPath::look_at(const NodalFields &fields,
                                   const Array<DesignFlag> &flags,
                                   Array<double> &densities)
{
  fields.label_parts(densities, labels_);
  const std::vector<LocalIndex> labels = labels_.to_host();
  const auto shared                    = unite_ranks(labels);
  const GlobalNode nowhere             = ~GlobalNode(0);
  const auto part_of                   = [&](const LocalIndex node) {
    const bool is_here = labels[node] < mesh_.n_nodes;
    // a node without material here may have some on another rank
    const GlobalNode number = number_[is_here ? labels[node] : node];
    const auto found        = shared.find(number);
    return found != shared.end() ? found->second : is_here ? number : nowhere;
  };

  // (1) What acts on which part.
  Report report;
  std::unordered_map<GlobalNode, unsigned int> acts;
  bool lost = false;
  for (const LocalIndex node : loaded_)
    {
      const GlobalNode part = part_of(node);
      lost                  = lost || part == nowhere;
      acts[part] |= has_load;
    }
  for (const LocalIndex node : held_)
    acts[part_of(node)] |= has_support;
  acts.erase(nowhere);
  if (communicator_.size() > 1)
    {
      std::vector<double> pairs;
      for (const auto &[part, what] : acts)
        {
          pairs.push_back(static_cast<double>(part));
          pairs.push_back(what);
        }
      pairs = communicator_.gather(pairs);
      for (std::size_t k = 0; k < pairs.size(); k += 2)
        acts[static_cast<GlobalNode>(pairs[k])] |= static_cast<unsigned int>(pairs[k + 1]);
    }
  if (communicator_.any(lost))
    report.obstacle = "a node with a load has no material around it";
  else
    for (const auto &[part, what] : acts)
      if (what == has_load)
        report.obstacle = "a part with a load is connected with no support";
  if (!report.obstacle.empty())
    return report;

  // (2) Islands.
  const unsigned int wanted = weighs_ ? has_load | has_support : has_load;
  std::vector<std::uint8_t> keeps(mesh_.n_nodes, 0);
  for (std::size_t n = 0; n < mesh_.n_nodes; ++n)
    if (labels[n] == n)
      {
        const auto found = acts.find(part_of(static_cast<LocalIndex>(n)));
        keeps[n]         = found != acts.end() && (found->second & wanted) != 0 ? 1 : 0;
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
