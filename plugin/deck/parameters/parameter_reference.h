// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <ostream>

namespace strut::plugin
{
/// Write everything that is declared as Markdown: a heading for each subsection that has entries,
/// "`Solver`", "`Mesh / Box`"; below it a list item for each entry with its default, what is allowed,
/// and what it means. The current values do not matter.
void write_parameter_reference(const dealii::ParameterHandler &parameters, std::ostream &out);
} // namespace strut::plugin
