// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/plugin/dealii_classes.h>
#include <strut/plugin/stiffness_options.h>

namespace strut::plugin
{
/// Throw Error unless the DoFHandler of an application holds trilinear displacements on hexahedra:
/// `FESystem<3>(FE_Q<3>(1), 3)`, DoFs distributed.
void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler);

/// Throw Error, with what is allowed, unless a StiffnessOperator can do as the options ask. Whether
/// backend, device and strategy are there is found out later.
/// @param is_double  the operator's Number
void check_options(const StiffnessOptions &options, bool is_double);

/// Replaces true and false by yes and no, where a parameter of the preconditioner has those.
StiffnessOptions in_words_of_parameters(StiffnessOptions options);

/// Throw Error unless the application assembles with straight edges.
void check_mapping_degree(unsigned int degree);

/// Throw Error unless it is positive and finite.
void check_density(double density);

/// Throw Error unless E and nu are those of a solid.
void check_material(const Material &material);
} // namespace strut::plugin
