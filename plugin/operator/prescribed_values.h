// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/base/communicator.h>
#include <strut/plugin/dealii_classes.h>

#include <utility>
#include <vector>

namespace strut::plugin
{
/// Owned DoFs, by ascending global index, with their values.
using PrescribedValues = std::vector<std::pair<dealii::types::global_dof_index, double>>;

/// The values that the constraints of an application prescribe, of owned DoFs. Takes time for each
/// constraint, not for each DoF. Collective.
///
/// @throws Error, on all ranks, for a constraint that prescribes more than a value, named with the
/// place of its DoF; for constraints that are not closed, or do not know the owned DoFs
template <typename ConstraintNumber>
PrescribedValues read_prescribed(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const dealii::AffineConstraints<ConstraintNumber> &constraints,
                                 const Communicator &communicator);
} // namespace strut::plugin
