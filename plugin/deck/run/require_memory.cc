// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/require_memory.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>

namespace strut::plugin
{
void require_memory(const MemoryPlan &plan,
                    const double available,
                    const std::string &backend,
                    const std::string &strategy)
{
  if (plan.total() <= available)
    return;
  throw OutOfMemory(
    "Not enough memory on the backend '" + backend + "': about " + format_bytes(plan.total()) +
    " needed (operator '" + strategy + "' " + format_bytes(plan.operator_bytes) + ", vectors " +
    format_bytes(plan.vector_bytes) +
    (plan.preconditioner_bytes > 0. ? ", preconditioner " + format_bytes(plan.preconditioner_bytes)
                                    : "") +
    ", design " + format_bytes(plan.design_bytes) + "), " + format_bytes(available) + " free.");
}
} // namespace strut::plugin
