// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/choose_preconditioner.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/multigrid.h>

#include <sstream>

namespace strut::plugin
{
namespace
{
/// DoFs of the coarsest mesh that the direct solver factors in each design iteration, at most: about a
/// second.
constexpr std::size_t most_coarse_dofs = 30000;

std::string why_no_multigrid(const Communicator &communicator, const MeshHierarchy &coarser)
{
  if (coarser.empty())
    return "the mesh is flat, it was refined from no coarser one. Multigrid wants a coarse mesh and "
           "'Refinements', or, for generated meshes, even numbers of elements";
  const std::size_t n_dofs = communicator.sum(coarser.back().mesh.n_owned_dofs());
  if (n_dofs > most_coarse_dofs)
    return "the coarsest mesh has " + std::to_string(n_dofs) +
           " degrees of freedom, and multigrid solves directly for at most " +
           std::to_string(most_coarse_dofs) +
           ". A coarser mesh that is refined more often would do, or numbers of elements with more "
           "factors of two";
  return "";
}
} // namespace

ChosenPreconditioner choose_preconditioner(const std::string &wanted,
                                           const std::string &precision,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const MeshHierarchy &coarser)
{
  const std::string obstacle =
    wanted == "jacobi" ? "the deck asks for Jacobi" : why_no_multigrid(communicator, coarser);
  if (obstacle.empty())
    {
      const std::size_t n_coarser = n_coarser_levels(communicator, coarser, MultigridSettings());
      std::ostringstream text;
      text << "multigrid, " << n_coarser + 1 << " levels: " << communicator.sum(mesh.n_elements);
      for (std::size_t l = 0; l < n_coarser; ++l)
        text << ", " << communicator.sum(coarser[l].mesh.n_elements);
      text << " elements";
      return {"multigrid", text.str()};
    }
  if (wanted == "multigrid")
    throw EntryError({"Solver"},
                     "Preconditioner",
                     "There can be no multigrid: " + obstacle +
                       ".\nOr 'set Preconditioner = jacobi' (or auto).");
  if (precision == "mixed")
    throw EntryError(
      {},
      "Precision",
      "Mixed precision means multigrid cycles in float for a solution in double, and "
      "there is no multigrid: " +
        obstacle + ".\nOr 'set Precision = double'.");
  return {"jacobi", wanted == "jacobi" ? "Jacobi" : "Jacobi: " + obstacle};
}
} // namespace strut::plugin
