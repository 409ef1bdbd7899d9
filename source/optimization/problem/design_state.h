// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/base/packed_values.h"

namespace strut
{
/// A number that a method or an update adds to the record of each design.
struct HistoryColumn
{
  std::string name;           ///< in history.csv
  std::string title;          ///< title on the screen; empty to hide it
  bool is_constraint = false; ///< whether it is the value of a constraint of that name
};

/// The state from which a method or an update continues, besides the history. The order of its
/// parts is that of the method.
struct DesignState
{
  std::vector<std::vector<double>> element_fields; ///< `[n_elements]` each, of this rank
  std::vector<double> numbers;                     ///< numbers, equal on every rank
  /// `[n_nodes]` each; ghosts need not be up to date.
  std::vector<std::vector<double>> node_fields{};
  /// Vectors `[3 * n_nodes]`; ghosts need not be up to date.
  std::vector<std::vector<double>> vectors{};
  std::vector<PackedValues> packed{}; ///< vectors `[3 * n_owned_nodes]`
};
} // namespace strut
