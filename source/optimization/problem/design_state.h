// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// A number of its own that a method or an update gives with each design.
struct HistoryColumn
{
  std::string name;           ///< in history.csv
  std::string title;          ///< on the screen; empty: not there
  bool is_constraint = false; ///< the value of a constraint of that name
};

/// The state that a method or an update goes on from, besides the history: in an order of its own.
struct DesignState
{
  std::vector<std::vector<double>> element_fields; ///< `[n_elements]` each, of this rank
  std::vector<double> numbers;                     ///< the same on every rank
  std::vector<std::vector<double>>
    node_fields{}; ///< `[n_nodes]` each; ghosts need not be up to date
};
} // namespace strut
