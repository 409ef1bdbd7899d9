// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/element/material.h>
#include <strut/stiffness_options.h>

namespace strut
{
/// Throws Error unless the DoFHandler of an application has distributed DoFs of trilinear
/// displacements on hexahedra: `FESystem<3>(FE_Q<3>(1), 3)`.
void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler);

/// Throws Error, with the allowed values, unless a StiffnessOperator supports the options.
/// Availability of backend, device and strategy is checked later.
/// @param is_double  whether the operator's Number is double
void check_options(const StiffnessOptions &options, bool is_double);

/// Replaces true and false by yes and no in the values of a preconditioner's yes-or-no parameters.
StiffnessOptions in_words_of_parameters(StiffnessOptions options);

/// Throws Error unless the application assembles with straight edges.
void check_mapping_degree(unsigned int degree);

/// Throws Error if the mapping maps an owned cell differently from the trilinear mapping of its
/// vertices (curved edges, moved vertices). The message names the degree of a MappingQ. No other
/// object of deal.II knows the application's mapping. Checks this rank only. It takes as long as a
/// loop of FEValues over the cells, but nothing for MappingQ1.
void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::Triangulation<3, 3> &triangulation);

/// Throws Error unless the density is positive and finite.
void check_density(double density);

/// Throws Error unless E and nu are those of a solid.
void check_material(const Material &material);
} // namespace strut
