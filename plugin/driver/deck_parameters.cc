// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/deck_parameters.h"

#include <filesystem>

namespace strut::plugin
{
DeckParameters::DeckParameters(const std::string &deck_file)
  : deck(Deck::read(deck_file))
  , problem(deck)
  , base_name(std::filesystem::path(deck_file).stem().string())
{
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  deck.apply(parameters);
  dealii::ParameterAcceptor::parse_all_parameters(parameters);

  optimization.get();
  solver.get(compute.strategy);
}
} // namespace strut::plugin
