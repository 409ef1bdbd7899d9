// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace strut
{
/// The values of functions of a coarse mesh at the nodes of the next finer one.
class FineValues
{
public:
  using CoarseDof = dealii::types::global_dof_index;

  /// Sum `u = sum of weight u_dof` over DoFs of the coarse mesh.
  using Masters = std::vector<std::pair<CoarseDof, double>>;

  /// @param fine, transfer  must outlive this object
  /// @param dofs  global indices at the owned coarse nodes, `[3 * n_owned_nodes]`. Collective.
  FineValues(const Communicator &communicator,
             const ElementMesh &fine,
             const LevelTransfer &transfer,
             const std::vector<CoarseDof> &dofs);

  /// Whether a coarse node is at the place of this fine DoF.
  bool has_dof_at(const LocalIndex dof) const
  {
    return at_[dof] >= 0.;
  }

  CoarseDof dof_at(const LocalIndex dof) const
  {
    return static_cast<CoarseDof>(at_[dof]);
  }

  /// Interpolates fine DoFs at places without a coarse node in the parents of their elements, on
  /// any rank. Collective.
  std::map<LocalIndex, Masters> interpolate(const std::set<LocalIndex> &wanted) const;

private:
  /// A node and a place where it occurs: vertex v of element e of this rank, as `8 e + v`.
  using Corner = std::pair<LocalIndex, LocalIndex>;

  /// Corners with the nodes of these DoFs, ascending. Nodes without an element on this rank have
  /// none.
  std::vector<Corner> corners_of(const std::set<LocalIndex> &dofs) const;

  Masters parents_of(LocalIndex corner, LocalIndex component) const;

  /// Interpolates those DoFs that have an element on this rank.
  std::map<LocalIndex, Masters> interpolate_here(const std::set<LocalIndex> &wanted) const;

  const Communicator communicator_;
  const ElementMesh &fine_;
  const LevelTransfer &transfer_;
  std::vector<double> of_coarse_nodes_; ///< DoFs of the nodes of the transfer
  std::vector<double> at_;              ///< coarse DoF at the place of each fine one, or -1
};
} // namespace strut
