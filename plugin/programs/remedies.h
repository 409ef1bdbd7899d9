// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck_remedies.h"

namespace strut::plugin
{
/// The table of strut-assemble, whose decks have entries of their own.
WordedRemedy assembly_remedy(Remedy remedy);

/// The table of strut-compare: its options count instead of some entries of the deck.
WordedRemedy comparison_remedy(Remedy remedy);
} // namespace strut::plugin
