// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/function_parser.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
struct MeshSummary;

/// The constants that expressions in x, y and z may use, such as `xmin`.
std::map<std::string, double> constants_of(const MeshSummary &summary);

/// Names of constants_of(), but for pi.
std::vector<std::string> names_of_constants(const MeshSummary &summary);

/// Makes a parser of a formula for muParser, and evaluates it once. Throws Error if it cannot be
/// evaluated.
std::unique_ptr<dealii::FunctionParser<3>> make_parser(const std::string &formula,
                                                       const MeshSummary &summary);

/// Makes a parser of the text of a number in a deck, such as `20 + 5 * x`. Faults that muParser
/// accepts are faults here, too: see Condition::read(). Throws Error.
std::unique_ptr<dealii::FunctionParser<3>> make_number_parser(const std::string &text,
                                                              const MeshSummary &summary);
} // namespace strut
