// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "plugin/deck/output/global_node_numbers.h"

namespace strut::plugin
{
/// The part of an edge of the mesh in which a nodal field is at least a level, or less: the global numbers of its nodes,
/// the lower one first, and 1 or 0.
using EdgePart = std::array<std::uint64_t, 3>;

/// Where the boundary of a body touches itself along an edge: more than two of its faces meet there. The body is solid
/// elements, and of design elements the part in which the field is at least the level.
class TouchingSheets
{
public:
  /// Elements around an edge that are connected by faces within the body. Two faces of the boundary belong to it.
  struct Wedge
  {
    std::uint64_t number = 0;       ///< that no other wedge of any edge has
    std::array<double, 3> centre{}; ///< mean of its elements
  };

  /// Collective. @param uses  each part of an edge as often as faces of the boundary on this rank end there
  /// @param is_shared  `[n_nodes]`: with another rank @param first_element  number of our first one over all ranks
  TouchingSheets(MPI_Comm communicator,
                 const ElementMesh &mesh,
                 const GlobalNodeNumbers &numbers,
                 const std::vector<std::uint8_t> &is_shared,
                 std::uint64_t first_element,
                 std::vector<EdgePart> uses,
                 int n_threads);

  /// The wedge of an element, by its number over all ranks; null where no more than two faces meet.
  const Wedge *find(const EdgePart &part, std::uint64_t element) const;

private:
  std::map<std::pair<EdgePart, std::uint64_t>, Wedge> wedges_;
};
} // namespace strut::plugin
