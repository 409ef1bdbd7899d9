// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>

#include <string>
#include <vector>

namespace strut
{
/// The parameters of the strategies of one name, on either backend and in either precision.
struct StrategyParameters
{
  std::string name; ///< name of the strategy
  std::vector<Parameter> parameters;

  /// Called with the values that were set, before an operator is made and whenever they change. May
  /// throw Error.
  void (*set)(const ParameterValues &values);
};

const std::vector<StrategyParameters> &strategy_parameters();

/// Adds the parameters of one more strategy for the life of the program. It must be called before a
/// parameter file is read. Throws Error if this name has parameters already.
void add_strategy_parameters(const StrategyParameters &parameters);
} // namespace strut
