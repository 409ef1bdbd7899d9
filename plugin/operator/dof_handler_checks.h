// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

namespace strut::plugin
{
/// Throw Error unless the DoFHandler of an application holds trilinear displacements on hexahedra:
/// `FESystem<3>(FE_Q<3>(1), 3)`, DoFs distributed.
void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler);
} // namespace strut::plugin
