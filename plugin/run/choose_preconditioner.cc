// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/run/choose_preconditioner.h"

#include <strut/base/exceptions.h>

#include "plugin/element_mesh/multigrid_choice.h"

namespace strut::plugin
{
namespace
{
std::string why_no_multigrid(const Communicator &communicator, const MeshHierarchy &coarser)
{
  if (coarser.empty())
    return "the mesh is flat, it was refined from no coarser one. Multigrid wants a coarse mesh and "
           "'Refinements', or, for generated meshes, even numbers of elements";
  const std::string reason = why_too_fine(communicator, coarser);
  return reason.empty() ? "" : reason + ", or numbers of elements with more factors of two";
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
    return {"multigrid", describe_levels(communicator, mesh, coarser)};
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
