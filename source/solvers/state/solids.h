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
/// Throws Error on all ranks unless each element has the numbers of a solid. Collective.
void require_solids(const Communicator &communicator, const Structure &structure);

/// Returns Solids::shear_ratio() of all elements, `[n_elements]`; empty with one solid.
std::vector<double> shear_ratios(const Structure &structure);

/// Returns Solids::known_numbers() of all elements, one array for each component.
/// @param law  law_of_solids()
std::vector<Array<double>>
known_numbers(Memory &memory, const Structure &structure, const Law &law);

/// Throws Error if the solids are not isotropic, as stresses on the backend require.
inline void require_isotropic(const Law &law)
{
  if (law.known().isotropic_solid == nullptr)
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
