// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Number types by name, where a choice is made at run time.
enum class Precision
{
  fp64, ///< double
  fp32, ///< float

  /// a solver with displacements, operator and residual in double, and its preconditioner in float.
  mixed
};

/// The names of the precisions in decks and programs.
inline const std::vector<std::pair<std::string, Precision>> &precision_words()
{
  static const std::vector<std::pair<std::string, Precision>> words = {{"double", Precision::fp64},
                                                                       {"float", Precision::fp32},
                                                                       {"mixed", Precision::mixed}};
  return words;
}

inline std::string to_string(const Precision precision)
{
  for (const auto &[word, value] : precision_words())
    if (value == precision)
      return word;
  throw std::invalid_argument("to_string: no Precision");
}

/// The precision of a word. Throws std::invalid_argument for an unknown one.
inline Precision to_precision(const std::string &name)
{
  for (const auto &[word, value] : precision_words())
    if (word == name)
      return value;
  throw std::invalid_argument("There is no precision '" + name + "'");
}
} // namespace strut
