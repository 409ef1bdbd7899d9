// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/deck_regions.h"

#include <strut/base/communicator.h>

#include <utility>

#include "plugin/deck/problem/element_set.h"
#include "plugin/deck/problem/node_set.h"

namespace strut::plugin
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
  return elements;
}
} // namespace strut::plugin
