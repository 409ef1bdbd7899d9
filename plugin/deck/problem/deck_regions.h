// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <strut/optimization/responses/response_region.h>
#include <strut/plugin/deck_mesh.h>
#include <strut/plugin/mesh_summary.h>
#include <strut/plugin/region.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// The regions of responses of a deck, as supports and loads have them.
class DeckRegions : public RegionFinder
{
public:
  /// All references must outlive it. @param path  of the subsection that has the region's entries, for messages
  DeckRegions(const DeckMesh &mesh,
              const MeshSummary &summary,
              MPI_Comm communicator,
              std::vector<std::string> path);

  /// Throw EntryError.
  std::vector<LocalIndex> nodes(const ResponseRegion &words) const override;
  std::vector<LocalIndex> elements(const ResponseRegion &words) const override;

private:
  void require_some(bool is_some, const std::string &entity, const Region &region) const;

  const DeckMesh &mesh_;
  const MeshSummary &summary_;
  MPI_Comm communicator_;
  std::vector<std::string> path_;
};
} // namespace strut::plugin
