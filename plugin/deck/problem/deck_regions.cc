// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/deck_regions.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plugin/deck/problem/element_set.h"
#include "plugin/deck/problem/node_set.h"
#include "plugin/deck/problem/problem.h"
#include "source/optimization/load_nodes.h"

namespace strut
{
DeckRegions::DeckRegions(const DeckMesh &mesh,
                         const MeshSummary &summary,
                         MPI_Comm communicator,
                         std::vector<std::string> path,
                         std::string who)
  : mesh_(mesh)
  , summary_(summary)
  , communicator_(communicator)
  , path_(std::move(path))
  , who_(std::move(who))
{}

void DeckRegions::take(const std::size_t n,
                       const std::string &entity,
                       SelectedPart selection,
                       const Region &region) const
{
  const std::size_t n_on_all = Communicator(communicator_).sum(n);
  if (n_on_all == 0)
    region.throw_selects_nothing(entity, summary_);
  selection.sum(communicator_);
  log_ += "  " + who_ + ": " + std::to_string(n_on_all) + ' ' + entity + "s (" + region.describe() +
          ")\n      " + selection.describe(summary_, summary_.n_nodes) + '\n';
  if (const std::string note = selection.note(region, summary_, summary_.n_nodes); !note.empty())
    log_ += "  NOTE: " + who_ + ": " + note + '\n';
}

std::vector<LocalIndex> DeckRegions::nodes(const ResponseRegion &words) const
{
  Region region;
  region.set(words, path_);
  region.prepare(summary_);
  NodeSet nodes = select_nodes(mesh_, communicator_, region);
  take(nodes.size(), "node", selected_nodes(nodes, mesh_, region), region);
  return nodes;
}

std::vector<LocalIndex> DeckRegions::elements(const ResponseRegion &words) const
{
  Region region;
  region.set(words, path_);
  region.prepare(summary_);
  ElementSet elements = select_elements(mesh_, communicator_, region);
  take(elements.size(), "element", selected_elements(elements, mesh_), region);
  last_elements_ = elements;
  return elements;
}

std::string note_on_hinges(Backend &backend,
                           const Communicator &communicator,
                           const Problem &problem,
                           const std::vector<LocalIndex> &limited,
                           const std::string &response)
{
  const ElementMesh &mesh = problem.mesh();
  LoadNodes nodes(communicator, mesh, problem.mirrors());
  for (const LoadCase &load_case : problem.load_cases())
    nodes.add(load_case);
  const std::vector<std::uint8_t> is_near = nodes.elements(backend, communicator, true);
  std::vector<bool> is_solid(mesh.n_nodes, false);
  const auto for_each_node = [&](const std::size_t e, const auto &action) {
    for (std::size_t v = 0; v < 8; ++v)
      action(mesh.connectivity[v * mesh.n_elements + e]);
  };
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::solid)
      for_each_node(e, [&](const LocalIndex node) { is_solid[node] = true; });
  std::size_t n = 0;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design &&
        !std::binary_search(limited.begin(), limited.end(), static_cast<LocalIndex>(e)))
      {
        bool touches = is_near[e] != 0;
        for_each_node(e, [&](const LocalIndex node) { touches = touches || is_solid[node]; });
        n += touches ? 1 : 0;
      }
  n = communicator.sum(n);
  return n == 0
           ? ""
           : "  NOTE: " + response + ": " + std::to_string(n) +
               " elements to design next to loads, supports or solid regions are outside of its region. Nothing "
               "limits their stress: they may become hinges, and the part may come off there. Make them solid "
               "('Non-design regions'), or widen the region\n";
}
} // namespace strut
