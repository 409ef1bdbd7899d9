// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/load.h>

namespace strut::plugin
{
// One function for each type of load; load_types.cc is the only file that needs them.

std::string assemble_force_per_node(const LoadContext &context, const Load &load);
std::string assemble_total_force(const LoadContext &context, const Load &load);
std::string assemble_traction(const LoadContext &context, const Load &load);
std::string assemble_pressure(const LoadContext &context, const Load &load);
std::string assemble_body_force(const LoadContext &context, const Load &load);
std::string assemble_self_weight(const LoadContext &context, const Load &load);

/// Adds the load to each node of its region, or an equal part of it. @return what it acts on: "17 nodes"
std::string add_nodal_forces(const LoadContext &context, const Load &load, bool in_equal_parts);
} // namespace strut::plugin
