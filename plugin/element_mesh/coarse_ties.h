// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <optional>
#include <string>

#include "plugin/element_mesh/constraint_lines.h"

namespace strut::plugin
{
/// All constraints of a coarse mesh, where DoFs of the next finer one depend on others elsewhere than at hanging nodes:
/// periodicity, no normal flux, tied faces, rigid diaphragms. A coarse DoF is dependent if the fine one at its place is, and
/// follows the coarse ones at the places of the masters, or those that interpolate them. Where these follow the master
/// themselves (a rigid diaphragm), one of them takes its place. Fine rows without a coarse node at
/// their place are left to those around them. Collective.
///
/// @param hanging   lines of owned DoFs, which come before others
/// @param owned     global indices of DoFs of the coarse mesh
/// @param coarse    with its constrained DoFs, which stay so, and dof_indices
/// @param obstacle  set where there is no result: one DoF follows very many (a mean value), or lines go in a circle
std::optional<ResolvedConstraints> tie_coarse_dofs(const Communicator &communicator,
                                                   const ElementMesh &fine,
                                                   const LevelTransfer &transfer,
                                                   const ConstraintLines &hanging,
                                                   const dealii::IndexSet &owned,
                                                   const ElementMesh &coarse,
                                                   std::string &obstacle);
} // namespace strut::plugin
