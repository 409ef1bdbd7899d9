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
/// Whether the material of a design leads all loads to supports; and the islands, parts that no
/// load acts on.
///
/// Parts are counted over all ranks: a rank labels its own, and the nodes that it shares with
/// others say which parts of different ranks are one. Nothing is said about mechanisms: parts that
/// touch at a node or an edge hang together.
class LoadPath
{
public:
  /// Collective.
  /// @param state  for the forces
  /// @param mirrors  `[n_nodes]` or empty, as in DesignContext: what a plane
  /// of symmetry holds is no support, unless there is no other
  LoadPath(Backend &backend,
           const Communicator &communicator,
           const ElementMesh &mesh,
           const StateSolver &state,
           const std::vector<std::uint8_t> &mirrors = {});

  struct Report
  {
    std::string obstacle;       ///< why the loads are not led to supports; empty if they are
    std::size_t n_islands = 0;  ///< that were taken away, as each rank counts its pieces of them
    double volume         = 0.; ///< of their material
  };

  /// Take islands away, unless there is an obstacle. Solid elements stay. Collective.
  /// @param densities  `[n_elements]`
  Report
  update(const NodalFields &fields, const Array<DesignFlag> &flags, Array<double> &densities);

private:
  using GlobalNode = std::uint64_t;

  /// Which parts are one, of several ranks or by dependent nodes: the representative of each label
  /// on the nodes that ranks share, and of those that depend on others.
  std::unordered_map<GlobalNode, GlobalNode>
  unite_labels(const std::vector<LocalIndex> &labels) const;

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  bool weighs_ = false;                 ///< self weight acts wherever there is material
  std::vector<GlobalNode> number_;      ///< `[n_nodes]`, over all ranks
  std::vector<LocalIndex> shared_;      ///< nodes that other ranks have, too
  std::vector<LocalIndex> loaded_;      ///< owned nodes
  std::vector<LoadNodes::Holds> holds_; ///< `[n_nodes]`
  Array<LocalIndex> labels_;
};
} // namespace strut
