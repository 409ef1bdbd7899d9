// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/load_integrals.h>

namespace strut::plugin::loads
{
// Its forces follow the densities: StateSolver::set_densities() (strut/solvers/state_solver.h).
LoadType self_weight()
{
  return {"self weight",
          "force per volume of solid material on the region's elements, times their densities",
          [](const LoadContext &context, const Load &load) {
            return visit_elements(context, load, [&](const auto &, const std::size_t number) {
              context.weights[number] += load.value();
            });
          }};
}
} // namespace strut::plugin::loads
