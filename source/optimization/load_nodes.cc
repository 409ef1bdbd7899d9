// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/load_nodes.h"
#include "source/parallel/node_numbers.h"

#include <algorithm>

namespace strut
{
LoadNodes::LoadNodes(const Communicator &communicator,
                     const ElementMesh &mesh,
                     const std::vector<std::uint8_t> &mirrors)
  : mesh_(mesh), is_loaded_(mesh.n_owned_nodes, false), is_held_(mesh.n_dofs(), false)
{
  std::vector<LocalIndex> mirrored;
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    {
      const LocalIndex dof = mesh.constrained_dofs[i];
      is_held_[dof]        = true;
      const bool by_mirror = !mirrors.empty() && (mirrors[dof / 3] >> dof % 3 & 1) != 0;
      (by_mirror ? mirrored : held_).push_back(dof / 3);
      if (mesh.constrained_values[i] != 0. && dof / 3 < mesh.n_owned_nodes)
        is_loaded_[dof / 3] = true;
    }
  if (!communicator.any(!held_.empty()))
    held_ = mirrored;
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end()); // DoFs ascend
}

void LoadNodes::add(const LoadCase &load_case)
{
  load_case.forces.for_each([&](const std::size_t dof, double) {
    if (!is_held_[dof])
      is_loaded_[dof / 3] = true;
  });
}

std::vector<LocalIndex> LoadNodes::loaded() const
{
  std::vector<LocalIndex> nodes;
  for (std::size_t n = 0; n < is_loaded_.size(); ++n)
    if (is_loaded_[n])
      nodes.push_back(static_cast<LocalIndex>(n));
  return nodes;
}

std::vector<double> LoadNodes::marks(Backend &backend, const Communicator &communicator) const
{
  std::vector<double> marks(mesh_.n_nodes, 0.);
  for (const LocalIndex node : loaded())
    marks[node] = 1.;
  return as_owners_have_it(backend, communicator, mesh_, marks);
}

std::vector<std::uint8_t> LoadNodes::elements(Backend &backend,
                                              const Communicator &communicator,
                                              const bool and_at_supports) const
{
  std::vector<double> marks = this->marks(backend, communicator);
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
} // namespace strut
