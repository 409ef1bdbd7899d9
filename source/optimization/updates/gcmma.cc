// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/mma_update.h"

namespace strut
{
DesignUpdateEntry gcmma()
{
  DesignUpdateEntry entry = MmaUpdate::entry<true>();
  entry.name              = "gcmma";
  entry.summary =
    "its globally convergent form, which analyses trials until the approximations are above the functions";
  entry.obstacle = [](const OptimizationProblem &problem,
                      const std::size_t n_load_cases) -> std::string {
    if (problem.fields.enabled())
      return "it analyses trials, which have one field alone, and a robust design has several";
    return MmaUpdate::entry<true>().obstacle(problem, n_load_cases);
  };
  return entry;
}
} // namespace strut
