// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/memory_plan.h>

#include <string>

namespace strut::plugin
{
/// Throw OutOfMemory with needed, free and what to change, if a plan exceeds what is free.
void require_memory(const MemoryPlan &plan,
                    double available,
                    const std::string &backend,
                    const std::string &strategy);
} // namespace strut::plugin
