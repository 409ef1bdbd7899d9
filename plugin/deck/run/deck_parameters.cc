// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/deck_parameters.h"

#include <strut/backend/strategy.h>
#include <strut/base/exceptions.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <filesystem>

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/shared_libraries.h"

namespace strut
{
namespace
{
/// Returns the deck after loading its libraries, so that parameters accept what they register.
Deck read_with_libraries(const std::string &deck_file, const std::vector<Deck::Setting> &settings)
{
  Deck deck = Deck::read(deck_file, settings);
  load_shared_libraries(deck);
  return deck;
}
} // namespace

void ComputeParameters::set_strategies() const
{
  for (const StrategyParameters &of_strategy : strategy_parameters())
    try
      {
        of_strategy.set(values_of(strategy_values_, of_strategy.name));
      }
    catch (const EntryError &)
      {
        throw;
      }
    catch (const Error &error)
      {
        throw EntryError({subsection_of(of_strategy.name)}, "", error.reason);
      }
}

DeckParameters::DeckParameters(const std::string &deck_file,
                               const std::vector<Deck::Setting> &settings)
  : deck(read_with_libraries(deck_file, settings))
  , settings(settings)
  , problem(deck)
  , constraints(make_named<ConstraintParameters>(deck, "Constraints"))
  , base_name(std::filesystem::path(deck_file).stem().string())
{
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  deck.apply(parameters);
  dealii::ParameterAcceptor::parse_all_parameters(parameters);

  compute.set_strategies();
  optimization.get();
  optimization.problem_without_responses(constraints);
  solver.control();
}

void DeckParameters::make_structure(const Communicator &communicator)
{
  const std::string &wanted = solver.preconditioner;
  problem.setup(communicator.mpi(), wanted == "auto" || find_preconditioner(wanted).needs_levels);
  if (method_entry().solves_any_problem && optimization.n_modes(constraints) > 0)
    problem.note_modes(optimization.counts_all_modes(constraints));
  else
    problem.note_masses_without_modes();
}
} // namespace strut
