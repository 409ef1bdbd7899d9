// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/load_nodes.h"
#include "source/base/filled_vector.h"
#include "source/parallel/node_numbers.h"
#include "source/solvers/host_threads.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace strut
{
namespace
{
/// Whether a row holds back a translation, as a hinge does: its DoF moves in another way when all
/// masters move alike. A row between parts of the body does not.
bool holds_translations(const AffineRows &rows, const std::size_t k)
{
  double sums[3] = {};
  for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
    sums[rows.masters[j] % 3] += rows.weights[j];
  for (std::uint32_t c = 0; c < 3; ++c)
    if (std::abs(sums[c] - (rows.dofs[k] % 3 == c ? 1. : 0.)) > 1e-6)
      return true;
  return false;
}

/// Whether a row is a mean of the same component of other nodes, as of a tied or a hanging one.
bool interpolates(const AffineRows &rows, const std::size_t k)
{
  double sum = 0.;
  for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
    {
      if (rows.masters[j] % 3 != rows.dofs[k] % 3)
        return false;
      sum += rows.weights[j];
    }
  return std::abs(sum - 1.) < 1e-6;
}
} // namespace

LoadNodes::LoadNodes(const Communicator &communicator,
                     const ElementMesh &mesh,
                     const std::vector<std::uint8_t> &mirrors)
  : mesh_(mesh)
  , loads_(cpu::filled_vector<std::uint8_t>(cpu::default_n_threads(), mesh.n_owned_nodes))
  , is_held_(mesh.n_dofs(), false)
  , holds_(cpu::filled_vector<Holds>(cpu::default_n_threads(), mesh.n_nodes))
{
  const AffineRows &rows = mesh.dependent;
  std::vector<LocalIndex> mirrored;
  std::vector<bool> is_pulled(mesh.n_nodes, false);
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    if (mesh.constrained_values[i] != 0.)
      is_pulled[mesh.constrained_dofs[i] / 3] = true;
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    {
      const LocalIndex dof = mesh.constrained_dofs[i];
      is_held_[dof]        = true;
      const bool by_mirror = !mirrors.empty() && (mirrors[dof / 3] >> dof % 3 & 1) != 0;
      (by_mirror ? mirrored : held_).push_back(dof / 3);
      Holds &holds = holds_[dof / 3];
      if (by_mirror)
        holds = static_cast<Holds>(holds | 1u << dof % 3);
      else if (!is_pulled[dof / 3])
        holds = static_cast<Holds>(holds | support);
      if (mesh.constrained_values[i] != 0. && dof / 3 < mesh.n_owned_nodes)
        add_component(dof);
    }
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      const LocalIndex dof = rows.dofs[k];
      if (rows.values[k] != 0. && dof / 3 < mesh.n_owned_nodes)
        add_component(dof);
      if (rows.values[k] == 0. && holds_translations(rows, k))
        {
          holds_[dof / 3] = static_cast<Holds>(holds_[dof / 3] | support);
          held_.push_back(dof / 3);
        }
    }
  const bool has_supports = communicator.any(
    std::any_of(holds_.begin(), holds_.end(), [](const Holds h) { return (h & support) != 0; }));
  if (!has_supports)
    for (const LocalIndex node : communicator.any(!mirrored.empty()) ? mirrored : held_)
      holds_[node] = static_cast<Holds>(holds_[node] | support);
  if (!communicator.any(!held_.empty()))
    held_ = mirrored;
  std::sort(held_.begin(), held_.end());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
}

void LoadNodes::add_component(const std::size_t dof)
{
  loads_[dof / 3] = static_cast<std::uint8_t>(loads_[dof / 3] | 1u << dof % 3);
}

void LoadNodes::add(const LoadCase &load_case)
{
  load_case.forces.for_each([&](const std::size_t dof, double) {
    if (!is_held_[dof])
      add_component(dof);
  });
  // A load on a rigid region acts on all of its nodes, which follow the same ones.
  const AffineRows &rows = mesh_.dependent;
  // Some of its rows are means, as those of tied nodes are, but not all.
  std::vector<bool> is_rigid(mesh_.n_nodes, false);
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      if (const LocalIndex master = rows.masters[j] / 3; !is_rigid[master])
        is_rigid[master] = !interpolates(rows, k);
  std::vector<std::pair<LocalIndex, LocalIndex>> follows; // nodes and their masters
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      if (const LocalIndex node = rows.dofs[k] / 3, master = rows.masters[j] / 3;
          is_rigid[master] && node < loads_.size() && master < loads_.size())
        follows.emplace_back(node, master);
  for (bool is_new = true; is_new;) // A row may lack some of the masters of its region.
    {
      is_new = false;
      for (const auto &[node, master] : follows)
        {
          const auto both = static_cast<std::uint8_t>(loads_[node] | loads_[master]);
          is_new          = is_new || loads_[node] != both || loads_[master] != both;
          loads_[node] = loads_[master] = both;
        }
    }
}

std::vector<LocalIndex> LoadNodes::loaded() const
{
  std::vector<LocalIndex> nodes;
  for (std::size_t n = 0; n < loads_.size(); ++n)
    if (loads_[n] != 0)
      nodes.push_back(static_cast<LocalIndex>(n));
  return nodes;
}

std::vector<std::uint8_t> LoadNodes::directions(Backend &backend,
                                                const Communicator &communicator) const
{
  if (communicator.size() == 1)
    return loads_; // All nodes are owned.
  const int n_threads      = host_threads(backend);
  std::vector<double> bits = cpu::filled_vector<double>(n_threads, mesh_.n_nodes);
  cpu::parallel_for(n_threads, loads_.size(), [&](const std::size_t node) {
    bits[node] = loads_[node];
  });
  bits = as_owners_have_it(backend, communicator, mesh_, std::move(bits));
  std::vector<std::uint8_t> directions = cpu::filled_vector<std::uint8_t>(n_threads, mesh_.n_nodes);
  cpu::parallel_for(n_threads, mesh_.n_nodes, [&](const std::size_t node) {
    directions[node] = static_cast<std::uint8_t>(bits[node]);
  });
  return directions;
}

std::vector<std::uint8_t> LoadNodes::elements(Backend &backend,
                                              const Communicator &communicator,
                                              const bool and_at_supports) const
{
  std::vector<std::uint8_t> marks = directions(backend, communicator);
  if (and_at_supports)
    for (const LocalIndex node : held_)
      marks[node] = 1;
  std::vector<std::uint8_t> elements(mesh_.n_elements, 0);
  for (std::size_t v = 0; v < mesh_.type.n_nodes; ++v)
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (marks[mesh_.node(e, v)] != 0)
        elements[e] = 1;
  return elements;
}
} // namespace strut
