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
                         std::vector<std::string> path)
  : mesh_(mesh), summary_(summary), communicator_(communicator), path_(std::move(path))
{}

void DeckRegions::require_some(const bool is_some,
                               const std::string &entity,
                               const Region &region) const
{
  if (!Communicator(communicator_).any(is_some))
    region.throw_selects_nothing(entity, summary_);
}

std::vector<LocalIndex> DeckRegions::nodes(const ResponseRegion &words) const
{
  Region region;
  region.set(words, path_);
  region.prepare(summary_);
  NodeSet nodes = select_nodes(mesh_, communicator_, region);
  require_some(!nodes.empty(), "node", region);
  return nodes;
}

std::vector<LocalIndex> DeckRegions::elements(const ResponseRegion &words) const
{
  Region region;
  region.set(words, path_);
  region.prepare(summary_);
  ElementSet elements = select_elements(mesh_, communicator_, region);
  require_some(!elements.empty(), "element", region);
  return elements;
}
} // namespace strut::plugin
