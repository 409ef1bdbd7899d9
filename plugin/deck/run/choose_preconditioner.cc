// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/choose_preconditioner.h"

#include <strut/base/exceptions.h>

#include "plugin/deck/parameters/deck.h"

namespace strut
{
PreconditionerChoice choose_for_deck(const std::string &wanted,
                                     const Precision precision,
                                     const Communicator &communicator,
                                     const Structure &structure)
{
  using Refusal               = PreconditionerChoice::Refusal;
  PreconditionerChoice choice = choose_preconditioner(wanted, precision, communicator, structure);
  if (!choice.obstacle.empty() && structure.mesh.type == ElementType())
    choice.obstacle +=
      structure.coarser.empty()
        ? ", and it is too large for background cells. Take a coarse mesh and 'Refinements', or, for generated meshes, "
          "even numbers of elements"
        : ". A coarser mesh that is refined more often would do, or numbers of elements with more factors of "
          "two";
  if (choice.refusal == Refusal::preconditioner)
    throw EntryError({"Solver"},
                     "Preconditioner",
                     "There can be no " + wanted + ": " + choice.obstacle +
                       ".\nOr 'set Preconditioner = jacobi' (or auto).");
  if (choice.refusal == Refusal::precision && precision == Precision::mixed)
    throw EntryError(
      {},
      "Precision",
      "Mixed precision means multigrid cycles in float for a solution in double, and "
      "there is no multigrid: " +
        (choice.obstacle.empty() ? "the deck asks for " + choice.text : choice.obstacle) +
        ".\nOr 'set Precision = double'.");
  if (choice.refusal == Refusal::precision)
    throw EntryError({},
                     "Precision",
                     "The preconditioner '" + choice.name + "' is not made for displacements in " +
                       to_string(precision) +
                       ".\nOr 'set Preconditioner = auto' in subsection Solver.");
  if (!choice.obstacle.empty())
    choice.text += ": " + choice.obstacle;
  return choice;
}
} // namespace strut
