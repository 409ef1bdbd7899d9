// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// `u_dof = sum of weight u_master + value`, by global indices; a prescribed displacement has no masters.
struct ConstraintLine
{
  dealii::types::global_dof_index dof = 0;
  std::vector<std::pair<dealii::types::global_dof_index, double>> masters;
  double value = 0.;
};

/// Ascending by DoF.
using ConstraintLines = std::vector<ConstraintLine>;

/// The constraints of an application on owned DoFs. Takes time for each constraint, not for each DoF. Collective.
///
/// @throws Error, on all ranks, for constraints that are not closed, do not know the owned DoFs, or name DoFs that are
/// not there; for hanging nodes that none of them holds
template <typename ConstraintNumber>
ConstraintLines read_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const dealii::AffineConstraints<ConstraintNumber> &constraints,
                                 const Communicator &communicator);

/// "displacement along y at (0, 1, 0)" of a DoF of a cell that this rank knows.
std::string place_of(const dealii::DoFHandler<3, 3> &dof_handler,
                     dealii::types::global_dof_index dof);

/// The constraints of the elements of one rank.
struct ResolvedConstraints
{
  ConstraintLines owned;  ///< of owned DoFs
  ConstraintLines ghosts; ///< with masters only, of DoFs of the elements that other ranks own
  /// The three DoFs of nodes that masters are at, owned by other ranks and of no element of this one.
  std::vector<std::array<dealii::types::global_dof_index, 3>> nodes_apart;
};

/// The three DoFs of the node of each DoF of the elements of this rank.
using NodesOfDofs = std::unordered_map<dealii::types::global_dof_index,
                                       std::array<dealii::types::global_dof_index, 3>>;

/// No master is constrained any more, on whichever rank: their owners are asked. Collective.
///
/// @param owned  the lines of read_constraints()
/// @throws Error for lines in a circle
ResolvedConstraints resolve_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                        const ConstraintLines &owned,
                                        const Communicator &communicator);

/// The same of any layout of DoFs; none for lines in a circle, which ranks then have all.
std::optional<ResolvedConstraints> resolve_constraints(NodesOfDofs nodes,
                                                       const dealii::IndexSet &owned,
                                                       const ConstraintLines &lines,
                                                       const Communicator &communicator);

/// Set the constrained and the dependent DoFs of a mesh that was made with the nodes apart. Collective.
void set_constraints(const ResolvedConstraints &constraints,
                     const dealii::IndexSet &owned,
                     const Communicator &communicator,
                     ElementMesh &mesh);
} // namespace strut::plugin
