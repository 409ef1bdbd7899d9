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

#include "plugin/base/global_node_numbers.h"

namespace strut
{
/// The part of a mesh edge in which a nodal field is at least a level (1), or less (0). It holds
/// the global numbers of the nodes, the lower one first, and 1 or 0.
using EdgePart = std::array<std::uint64_t, 3>;

/// Places where the boundary of a body touches itself along an edge: more than two of its faces
/// meet there. The body consists of solid elements, and of the part of design elements where the
/// field is at least the level.
class TouchingSheets
{
public:
  /// Elements around an edge that are connected by faces inside the body. It has two faces of the
  /// boundary.
  struct Wedge
  {
    std::uint64_t number = 0;       ///< unique number over all edges
    std::array<double, 3> centre{}; ///< mean of its elements
  };

  /// Finds the wedges. Collective.
  /// @param uses  each part of an edge as often as boundary faces on this rank end there
  /// @param is_shared  `[n_nodes]`: whether other ranks have the node
  TouchingSheets(MPI_Comm communicator,
                 const ElementMesh &mesh,
                 const GlobalNodeNumbers &numbers,
                 const std::vector<std::uint8_t> &is_shared,
                 std::vector<EdgePart> uses,
                 int n_threads);

  /// The wedge of an element, given by its number over all ranks; null where no more than two faces
  /// meet.
  const Wedge *find(const EdgePart &part, std::uint64_t element) const;

private:
  std::map<std::pair<EdgePart, std::uint64_t>, Wedge> wedges_;
};
} // namespace strut
