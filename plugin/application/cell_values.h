// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/dofs/dof_handler.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "plugin/base/attempt.h"

namespace strut
{
/// Kind of a positive number that an application gives for each cell, described for messages.
struct CellQuantity
{
  const char *plural; ///< "stiffness factors"
  const char *remedy; ///< remedy for values that are not positive
};

constexpr CellQuantity factors_of_cells   = {"stiffness factors",
                                             "Give empty cells a small factor, 1e-9 say."};
constexpr CellQuantity densities_of_cells = {"densities",
                                             "Give mass per volume; empty cells a small one."};

/// Throw Error unless all values are positive and finite.
inline void check_positive(const std::vector<double> &values,
                           const std::vector<unsigned int> &cells,
                           const CellQuantity &quantity)
{
  std::size_t n_bad = 0;
  std::ostringstream first;
  for (std::size_t c = 0; c < values.size(); ++c)
    if (!(values[c] > 0. && std::isfinite(values[c])) && n_bad++ == 0)
      first << values[c] << " of the cell with active_cell_index() " << cells[c];
  if (n_bad > 0)
    throw Error("Of the " + std::string(quantity.plural) + ", " + std::to_string(n_bad) +
                " are not positive and finite, such as " + first.str() + ".\n  " + quantity.remedy);
}

/// Collects the values of the owned cells from a function, called once for each. Collective.
/// @param contents  StiffnessOperator::Implementation
template <typename Contents, typename Function>
std::vector<double>
of_each_owned_cell(const Contents &contents, const Function &value, const CellQuantity &quantity)
{
  std::vector<double> result;
  attempt_together(contents.communicator, [&]() {
    contents.require_unchanged();
    for (const auto &cell : contents.dof_handler->get_triangulation().active_cell_iterators())
      if (cell->is_locally_owned())
        result.push_back(value(cell));
    check_positive(result, contents.owned_cells, quantity);
  });
  return result;
}

/// Selects the values of the owned cells from a vector of all active cells. Collective.
template <typename Contents, typename Vector>
std::vector<double>
of_owned_cells(const Contents &contents, const Vector &values, const CellQuantity &quantity)
{
  attempt_together(contents.communicator, [&]() {
    contents.require_unchanged();
    const std::size_t n = contents.dof_handler->get_triangulation().n_active_cells();
    if (values.size() != n)
      throw Error("There are " + std::to_string(values.size()) + ' ' + quantity.plural + ", and " +
                  std::to_string(n) +
                  " active cells.\n  Give one for each, by cell->active_cell_index().");
  });
  return of_each_owned_cell(
    contents, [&](const auto &cell) { return values(cell->active_cell_index()); }, quantity);
}
} // namespace strut
