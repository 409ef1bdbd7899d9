// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <ostream>

namespace strut
{
/// Writes everything that is declared as Markdown. Each subsection with entries has a heading, such
/// as "`Solver`" or "`Mesh / Box`". A list item for each entry states its default, the allowed
/// values, and its meaning. The current values do not matter.
void write_parameter_reference(const dealii::ParameterHandler &parameters, std::ostream &out);
} // namespace strut
