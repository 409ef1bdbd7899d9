// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

#include <strut/base/communicator.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strut
{
/// Constraint `u_dof = sum of weight u_master + value`, by global indices. Prescribed displacements
/// have no masters.
struct ConstraintLine
{
  dealii::types::global_dof_index dof = 0;
  std::vector<std::pair<dealii::types::global_dof_index, double>> masters;
  double value = 0.;
};

/// Lines in ascending order of their DoFs.
using ConstraintLines = std::vector<ConstraintLine>;

/// The constraints of an application on owned DoFs. The time grows with the number of constraints,
/// not of DoFs. Collective.
///
/// @throws Error, on all ranks, for constraints that are not closed, do not know the owned DoFs, or
/// name DoFs that do not exist. It also throws for hanging nodes without constraints.
template <typename ConstraintNumber>
ConstraintLines read_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const dealii::AffineConstraints<ConstraintNumber> &constraints,
                                 const Communicator &communicator);

/// Text such as "displacement along y at (0, 1, 0)" for a DoF of a cell that this rank knows.
std::string place_of(const dealii::DoFHandler<3, 3> &dof_handler,
                     dealii::types::global_dof_index dof);

/// The constraints of the elements of one rank.
struct ResolvedConstraints
{
  ConstraintLines owned; ///< lines of owned DoFs
  /// Lines with masters of DoFs that belong to this rank's elements and to other owners.
  ConstraintLines ghosts;
  /// The three DoFs of nodes of masters that other ranks own and that are in no element of this
  /// rank.
  std::vector<std::array<dealii::types::global_dof_index, 3>> nodes_apart;
};

/// Maps each DoF of this rank's elements to the three DoFs of its node.
using NodesOfDofs = std::unordered_map<dealii::types::global_dof_index,
                                       std::array<dealii::types::global_dof_index, 3>>;

/// Substitutes until no master is constrained itself on any rank, asking the owners of the masters.
/// Collective.
///
/// @param owned  the lines of read_constraints()
/// @throws Error if lines form a cycle
ResolvedConstraints resolve_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                        const ConstraintLines &owned,
                                        const Communicator &communicator);

/// Overload for any layout of DoFs. Returns no value, on all ranks, if lines form a cycle.
std::optional<ResolvedConstraints> resolve_constraints(NodesOfDofs nodes,
                                                       const dealii::IndexSet &owned,
                                                       const ConstraintLines &lines,
                                                       const Communicator &communicator);

/// Sets the constrained and the dependent DoFs of a mesh that was made with `nodes_apart`.
/// Collective.
void set_constraints(const ResolvedConstraints &constraints,
                     const dealii::IndexSet &owned,
                     const Communicator &communicator,
                     ElementMesh &mesh);

/// All constraints of a coarse mesh, if DoFs of the next finer mesh depend on others, except at
/// hanging nodes. Examples are periodicity, no normal flux, tied faces and rigid diaphragms. A
/// coarse DoF is dependent if the fine DoF at its place is. It follows the coarse DoFs at the
/// places of the masters, or those that interpolate them. If these follow the master themselves (a
/// rigid diaphragm), one of them takes its place. Fine rows at places without a coarse node are
/// dropped; the surrounding rows stand in for them. Collective.
///
/// @param hanging   lines of owned DoFs, which take precedence
/// @param owned     global indices of DoFs of the coarse mesh
/// @param coarse    with its constrained DoFs, which stay constrained, and dof_indices
/// @param obstacle  set if there is no result: a DoF follows very many others (a mean value), or
/// lines form a cycle
std::optional<ResolvedConstraints> tie_coarse_dofs(const Communicator &communicator,
                                                   const ElementMesh &fine,
                                                   const LevelTransfer &transfer,
                                                   const ConstraintLines &hanging,
                                                   const dealii::IndexSet &owned,
                                                   const ElementMesh &coarse,
                                                   std::string &obstacle);
} // namespace strut
