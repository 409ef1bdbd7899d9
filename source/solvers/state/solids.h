// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/nodal_fields.h"

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/structure.h>

#include <utility>
#include <vector>

namespace strut
{
/// Throws Error on all ranks unless there is a Poisson's ratio for each element or for none, each
/// in (-1, 0.5). Collective.
void require_solids(const Communicator &communicator, const Structure &structure);

/// Returns shear_ratio_of() for all elements, `[n_elements]`; empty with one solid.
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

/// Returns Lame's parameters for a structure with Poisson's ratios of its elements.
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

/// The law of a structure's solids. Collective.
inline Law law_of_solids(const Communicator &communicator, const Structure &structure)
{
  return has_anisotropic_solids(communicator, structure) ? Law::table
         : has_poisson_ratios(communicator, structure)   ? Law::lame
                                                         : Law::factor;
}

/// Throws Error if the solids are not isotropic, as stresses on the backend require.
inline void require_isotropic(const bool is_anisotropic)
{
  if (is_anisotropic)
    throw Error(
      "Stresses that a design is made by are those of isotropic solids, and there are others: take other responses, or "
      "isotropic solids.");
}

/// NodalFields::sum_stresses() with Lame's parameters of the elements, `[2][n_elements]`. Stresses
/// are linear in them, so the mean of two sums with twice the factors is taken, which counts
/// elements once.
template <typename Number>
void sum_stresses_of_solids(Backend &backend,
                            const std::vector<Array<double>> &lame,
                            const Array<Number> &u,
                            const NodalFields &fields,
                            const Array<double> &factors,
                            Array<double> &sums)
{
  const auto &vectors = backend.vector_operations<double>();
  Array<double> twice(backend.memory(), factors.size()), part(backend.memory(), sums.size());
  sums.set_zero();
  for (const auto &[material, of_solids] : {std::make_pair(Material::volumetric(), &lame[0]),
                                            std::make_pair(Material::deviatoric(), &lame[1])})
    {
      twice.set_zero();
      vectors.axpy(twice.size(), 2., factors, twice);
      vectors.multiply(twice.size(), *of_solids, twice, twice);
      fields.sum_stresses(material, twice, u, part);
      vectors.axpy(sums.size(), 0.5, part, sums);
    }
}
} // namespace strut
