// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// The result of making a deck of a model.
struct ModelConversion
{
  std::string report; ///< lines for the user: the deck, what it has, and what it lacks
  bool is_whole;      ///< The deck has all supports, loads and parts of the body.
};

/// Writes a deck of a model of Abaqus or CalculiX, and a file of sets beside it if the model has no
/// names for places that the deck needs. The deck begins with comments on what it lacks.
/// @param model  the file of the model (.inp)
/// @param deck  the file to write; empty: that of the model with the ending .prm
/// @throws Error for a model that cannot be read, and for files that exist
ModelConversion convert_model(const std::string &model, const std::string &deck);
} // namespace strut
