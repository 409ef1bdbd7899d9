// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <optional>
#include <string>

#include "plugin/element_mesh/constraint_lines.h"

namespace strut
{
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
