// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>

#include "plugin/studies/assembly/assembly_parameters.h"

namespace strut::plugin
{
/// The work of `strut-assemble deck.prm`: generate the matrices of all element types of a deck, on all its
/// backends, in all variants. Writes the tables after each element type.
///
/// @param output  folder of the tables; empty: the deck's
/// @param lock_file  between the making of the first mesh and the end of the program this file is
/// locked: several programs may make their meshes at once, and measure one after the other. Empty: no
/// @throws Error, EntryError; Error in the end if values were wrong
void study_assembly(AssemblyDeck &deck,
                    const std::string &output,
                    const std::string &lock_file,
                    std::ostream &log);
} // namespace strut::plugin
