// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/load.h>

namespace strut
{
/// Adds the load, or an equal part of it, to each node of its region. @return the loaded entities:
/// "17 nodes"
std::string add_nodal_forces(const LoadContext &context, const Load &load, bool in_equal_parts);
} // namespace strut
