// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
// `self weight`: a force per volume of solid material on the elements of the region, times their densities
// (strut/optimization/self_weight.h).
std::string assemble_self_weight(const LoadContext &context, const Load &load)
{
  return visit_elements(context, load, [&](const auto &, const std::size_t number) {
    context.weights[number] += load.value();
  });
}
} // namespace strut::plugin
