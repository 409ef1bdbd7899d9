// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/solids.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

namespace strut
{
void require_solids(const Communicator &communicator, const Structure &structure)
{
  const AnisotropicSolids &solids = structure.ratios.anisotropic;
  const bool is_faulty =
    !solids.empty() &&
    (solids.of_element.size() != structure.mesh.n_elements ||
     std::any_of(solids.of_element.begin(), solids.of_element.end(), [&](const std::uint32_t k) {
       return k >= solids.matrices.size();
     }));
  const bool is_anisotropic = has_anisotropic_solids(communicator, structure);
  if (communicator.any(is_faulty ||
                       (is_anisotropic && solids.empty() && structure.mesh.n_elements > 0)))
    throw Error(
      "Where some solid is not isotropic, each element has the number of its elasticity matrix, and there is such a matrix.");
  if (!has_poisson_ratios(communicator, structure))
    return;
  if (is_anisotropic)
    throw Error(
      "Elasticity matrices have Poisson's ratios in them: give elements the one or the other.");
  const std::vector<double> &nu = structure.ratios.poisson_ratio;
  const auto faulty             = std::find_if(nu.begin(), nu.end(), [](const double value) {
    return !(value > -1. && value < 0.5);
  });
  // For each rank: the actual and the required number of ratios, the first faulty ratio, and its
  // index.
  const auto at = static_cast<double>(faulty - nu.begin());
  const std::vector<double> all =
    communicator.gather({static_cast<double>(nu.size()),
                         static_cast<double>(structure.mesh.n_elements),
                         at,
                         faulty == nu.end() ? 0. : *faulty});
  for (std::size_t rank = 0; 4 * rank < all.size(); ++rank)
    {
      const double *const found = &all[4 * rank];
      std::ostringstream text;
      const std::string of_rank =
        communicator.size() > 1 ? " of rank " + std::to_string(rank) : std::string();
      if (found[0] != found[1])
        text << "There are " << found[0] << " Poisson's ratios for the " << found[1] << " elements"
             << of_rank << ": give each element one, or none any.";
      else if (found[2] < found[0])
        text << "Poisson's ratio of element " << found[2] << of_rank << " is " << found[3]
             << ": it must be greater than -1 and less than 0.5.";
      if (!text.str().empty())
        throw Error(text.str());
    }
}
} // namespace strut
