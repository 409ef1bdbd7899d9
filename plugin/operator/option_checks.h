// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/plugin/stiffness_options.h>

namespace strut::plugin
{
/// Throw Error, with what is allowed, unless a StiffnessOperator can do as the options ask. Whether
/// backend, device and strategy are there is found out later.
/// @param is_double  the operator's Number
void check_options(const StiffnessOptions &options, bool is_double);

/// Throw Error unless E and nu are those of a solid.
void check_material(const Material &material);
} // namespace strut::plugin
