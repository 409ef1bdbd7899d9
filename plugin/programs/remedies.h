// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck_remedies.h"

namespace strut
{
/// Remedies of strut-assemble, whose decks have other entries.
WordedRemedy assembly_remedy(Remedy remedy);

/// Remedies of programs without a deck, whose entries errors could refer to.
WordedRemedy plain_remedy(Remedy remedy);

/// Remedies of strut-compare, in which command-line options replace some entries of the deck.
WordedRemedy comparison_remedy(Remedy remedy);
} // namespace strut
