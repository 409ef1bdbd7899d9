// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/model/deck_draft.h"
#include "plugin/deck/model/model_state.h"

namespace strut
{
/// Returns the deck of a model, with lists of what it takes and what it does not.
DeckDraft deck_of(ModelState &&state);
} // namespace strut
