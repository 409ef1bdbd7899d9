// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/structure.h>

#include <vector>

namespace strut
{
/// shear_ratio_of() the elements, `[n_elements]`; empty with one solid.
inline std::vector<double> shear_ratios(const Structure &structure)
{
  const MaterialRatios &ratios = structure.ratios;
  if (ratios.poisson_ratio.empty())
    return ratios.stiffness;
  std::vector<double> shear(ratios.poisson_ratio.size());
  for (std::size_t e = 0; e < shear.size(); ++e)
    shear[e] = shear_ratio_of(e, structure.material, ratios);
  return shear;
}

/// Lame's parameters of the solids of the elements, `[n_elements]`.
struct LameOfSolids
{
  std::vector<double> lambda, mu;
};

/// For a structure with Poisson's ratios of its elements.
inline LameOfSolids lame_of_solids(const Structure &structure)
{
  LameOfSolids lame;
  for (std::size_t e = 0; e < structure.ratios.poisson_ratio.size(); ++e)
    {
      const Material solid = solid_of(e, structure.material, structure.ratios);
      lame.lambda.push_back(solid.lambda());
      lame.mu.push_back(solid.mu());
    }
  return lame;
}
} // namespace strut
