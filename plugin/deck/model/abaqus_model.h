// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/mesh/abaqus_deck.h"
#include "plugin/deck/model/deck_draft.h"

namespace strut
{
/// Makes a deck of a model of Abaqus or CalculiX: materials, supports and loads, with a load case
/// for each step. The draft lacks the mesh and the optimization.
/// @param deck  with the cards of the model
/// @throws MeshFileError for a mesh that cannot be read
DeckDraft draft_of_model(const AbaqusDeck &deck);
} // namespace strut
