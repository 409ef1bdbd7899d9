// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>

#include "plugin/studies/assembly/assembly_parameters.h"

namespace strut
{
/// The work of `strut-assemble deck.prm`: generates the matrices of all element types of a deck, on
/// all its backends, in all variants. Writes the tables after each element type.
///
/// @param output  folder of the tables; if empty, the deck's
/// @param lock_file  file that is locked from the making of the first mesh to the end of the
/// program; no lock if empty. Several programs can so prepare at once, and measure one after the
/// other.
/// @throws Error, EntryError; Error in the end if values were wrong
void study_assembly(AssemblyDeck &deck,
                    const std::string &output,
                    const std::string &lock_file,
                    std::ostream &log);
} // namespace strut
