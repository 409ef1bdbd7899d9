// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include "plugin/problem/element_mesh_builder.h"

namespace dealii
{
template <typename>
class AffineConstraints;
}

namespace strut::plugin
{
/// The values that the constraints of an application prescribe, of owned DoFs. Collective.
///
/// @throws Error, on all ranks, for a constraint that prescribes more than a value, named with the
/// place of its DoF; for constraints that are not closed, or do not know the owned DoFs
template <typename ConstraintNumber>
PrescribedDofs read_prescribed(const dealii::DoFHandler<3, 3> &dof_handler,
                               const dealii::AffineConstraints<ConstraintNumber> &constraints,
                               MPI_Comm communicator);
} // namespace strut::plugin
