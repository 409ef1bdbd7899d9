// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"
#include "source/optimization/load_nodes.h"

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace strut
{
/// Checks whether the material of a design leads all loads to supports, and finds islands, parts
/// that no load acts on.
///
/// Parts are counted over all ranks. A rank labels its own parts, and the nodes that it shares with
/// others show which parts of different ranks are one. Mechanisms are not detected: parts that
/// touch at a node or an edge count as connected.
class LoadPath
{
public:
  /// Collective.
  /// @param state  for the forces
  /// @param mirrors  `[n_nodes]` or empty, as in DesignContext: a plane of symmetry is no support,
  ///   unless there is no other
  LoadPath(Backend &backend,
           const Communicator &communicator,
           const ElementMesh &mesh,
           const StateSolver &state,
           const std::vector<std::uint8_t> &mirrors = {});

  struct Report
  {
    std::string obstacle;       ///< why the loads are not led to supports; empty if they are
    std::size_t n_islands = 0;  ///< islands that were removed; each rank counts its pieces of them
    double volume         = 0.; ///< volume of their material
  };

  /// Remove islands, unless there is an obstacle. Solid elements stay. Collective.
  /// @param densities  `[n_elements]`
  Report
  update(const NodalFields &fields, const Array<DesignFlag> &flags, Array<double> &densities);

private:
  using GlobalNode = std::uint64_t;

  /// Finds parts that are one, across ranks or by dependent nodes. Returns the representative of
  /// each label on nodes that ranks share, and on nodes that depend on others.
  std::unordered_map<GlobalNode, GlobalNode>
  unite_labels(const std::vector<LocalIndex> &labels) const;

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  bool weighs_ = false;                 ///< loads that follow the design act on all material
  std::vector<GlobalNode> number_;      ///< global numbers, `[n_nodes]`
  std::vector<LocalIndex> shared_;      ///< nodes that other ranks have as well
  std::vector<LocalIndex> loaded_;      ///< owned nodes
  std::vector<LoadNodes::Holds> holds_; ///< `[n_nodes]`
  Array<LocalIndex> labels_;
};
} // namespace strut
