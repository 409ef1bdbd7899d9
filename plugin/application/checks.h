// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/element/material.h>
#include <strut/stiffness_options.h>

namespace strut
{
/// Throws Error unless the DoFHandler of an application has distributed DoFs of displacements by a
/// finite element that element_type_of() knows, on a mesh of its cells.
void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler);

/// Throws Error, with the allowed values, unless a StiffnessOperator supports the options.
/// Availability of backend, device and strategy is checked later.
/// @param is_double  whether the operator's Number is double
void check_options(const StiffnessOptions &options, bool is_double);

/// Replaces true and false by yes and no in the values of a preconditioner's yes-or-no parameters.
StiffnessOptions in_words_of_parameters(StiffnessOptions options);

/// Throws Error unless the application assembles with straight edges, or with a mapping of degree 2
/// and a quadratic element.
void check_mapping_degree(unsigned int degree, const dealii::DoFHandler<3, 3> &dof_handler);

/// Throws Error if the mapping maps an owned cell in another way than the element's shape functions
/// do. Linear elements interpolate the vertices of the mesh, quadratic ones the places of their
/// nodes by the mapping. The message names the degree of a MappingQ. No other object of deal.II
/// knows the application's mapping. Checks this rank only. It takes as long as a loop of FEValues
/// over the cells, but nothing for MappingQ1.
void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::DoFHandler<3, 3> &dof_handler);

/// Throws Error unless the density is positive and finite.
void check_density(double density);

/// Throws Error unless E and nu are those of a solid.
void check_material(const Material &material);
} // namespace strut
