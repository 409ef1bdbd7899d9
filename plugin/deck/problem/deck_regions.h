// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/deck_mesh.h>
#include <strut/mesh_summary.h>
#include <strut/optimization/responses/response_region.h>
#include <strut/region.h>
#include <strut/selected_part.h>

#include <string>
#include <vector>

namespace strut
{
/// The regions of one response of a deck, with the same entries as supports and loads.
class DeckRegions : public RegionFinder
{
public:
  /// @param mesh,  summary  must outlive this object
  /// @param path  path of the subsection with the entries of the region, for messages
  /// @param who  "constraint 'tip'", for the log
  DeckRegions(const DeckMesh &mesh,
              const MeshSummary &summary,
              MPI_Comm communicator,
              std::vector<std::string> path,
              std::string who);

  /// Throws EntryError.
  std::vector<LocalIndex> nodes(const ResponseRegion &words) const override;
  std::vector<LocalIndex> elements(const ResponseRegion &words) const override;

  /// Elements of the last region of elements on this rank, ascending; empty if none was requested.
  const std::vector<LocalIndex> &last_elements() const
  {
    return last_elements_;
  }

  /// Lines for the log: the regions that were requested, with their numbers of nodes or elements.
  const std::string &log() const
  {
    return log_;
  }

private:
  /// Throws EntryError if the region is empty on all ranks, otherwise adds it to the log.
  /// Collective.
  void take(std::size_t n,
            const std::string &entity,
            SelectedPart selection,
            const Region &region) const;

  const DeckMesh &mesh_;
  const MeshSummary &summary_;
  MPI_Comm communicator_;
  std::vector<std::string> path_;
  std::string who_;
  mutable std::string log_;
  mutable std::vector<LocalIndex> last_elements_;
};

class Problem;

/// The NOTE on elements to design next to loads, supports or solid regions that a limit of stresses
/// leaves out, or nothing. Material may vanish there except for hinges, or altogether. Collective.
/// @param limited  elements of this rank whose stress is limited, ascending
/// @param response  "constraint 'stress'"
std::string note_on_hinges(Backend &backend,
                           const Communicator &communicator,
                           const Problem &problem,
                           const std::vector<LocalIndex> &limited,
                           const std::string &response);
} // namespace strut
