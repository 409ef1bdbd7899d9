// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The choice of the levels of a cycle, and their data.
#include "source/solvers/multigrid/background.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/base/exceptions.h>

namespace strut
{
std::size_t n_coarser_levels(const Communicator &communicator,
                             const MeshHierarchy &coarser,
                             const MultigridSettings &settings)
{
  const std::size_t n_refined = first_background_level(coarser);
  const bool without_background =
    settings.coarse_operators == CoarseOperators::galerkin && n_refined > 0 &&
    communicator.sum(coarser[n_refined - 1].mesh.n_owned_dofs()) <= most_coarse_dofs;
  const std::size_t n_usable = without_background ? n_refined : coarser.size();
  const bool is_aggregated   = settings.coarse_operators == CoarseOperators::aggregation;
  for (std::size_t l = 0; l < n_usable; ++l)
    if (coarser[l].mesh.type == ElementType() && // The direct solver is for these.
        (communicator.sum(coarser[l].mesh.n_owned_dofs()) <= settings.direct_dofs ||
         (is_aggregated && // Aggregation does not support dependent DoFs.
          !communicator.any(!coarser[l].mesh.dependent.empty()))))
      return l + 1;
  return n_usable;
}

std::size_t first_gathered_level(const Communicator &communicator,
                                 const ElementType &type,
                                 const MeshHierarchy &coarser,
                                 const std::size_t n,
                                 const MultigridSettings &settings,
                                 const bool on_device)
{
  const std::size_t most =
    settings.gathered_elements.value_or(on_device ? most_gathered_elements : 0);
  if (communicator.size() == 1 || most == 0 ||
      settings.coarse_operators != CoarseOperators::rediscretised)
    return n;
  for (std::size_t l = n; l-- > 0;) // Levels with dependent DoFs are not gathered.
    if (communicator.any(!coarser[l].mesh.dependent.empty()))
      return n;
  // Cycles from the second level on are combined, by all ranks together.
  const std::size_t first = type == ElementType() ? 0 : 1;
  for (std::size_t l = first; l + 1 < n; ++l) // The last level belongs to the direct solver.
    if (communicator.sum(coarser[l].mesh.n_elements) <= most)
      return l;
  return n;
}

std::string deterministic_level_strategy(const StrategyList<double> &strategies)
{
  for (const char *name : {"on_the_fly", "on_the_fly_ordered"})
    for (const Strategy<double> &strategy : strategies)
      if (strategy.name == name && strategy.deterministic)
        return name;
  throw Error("The backend has no deterministic operator for multigrid.",
              Remedy::use_jacobi_or_any_order);
}
} // namespace strut
