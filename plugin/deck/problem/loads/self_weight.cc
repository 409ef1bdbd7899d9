// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/load_integrals.h>

namespace strut::loads
{
// The forces depend on the densities: see StateSolver::set_densities()
// (strut/solvers/state/state_solver.h).
LoadType self_weight()
{
  return {"self weight",
          "force per volume of solid material on the region's elements, times their densities",
          [](const LoadContext &context, const Load &load) {
            context.weights.resize(context.mesh.elements.n_elements);
            return visit_elements(context, load, [&](const std::size_t e) {
              context.weights[e] += load.value();
            });
          }};
}
} // namespace strut::loads
