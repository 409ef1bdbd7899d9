// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// A token of a condition.
struct ConditionToken
{
  enum class Kind
  {
    name,
    number,
    sign,
    end
  };

  Kind kind;
  /// Normalised text: `&&` for `and` and `&`, `||` for `or` and `|`. The words `not`, `true`,
  /// `false` and `everywhere` are written so for any case of their letters. Empty at the end.
  std::string text;
  std::size_t place; ///< position of its first character, from 1
};

/// Returns the tokens of an expression, followed by one of Kind::end. Throws Error for invalid
/// characters, and for an expression of many thousand characters.
std::vector<ConditionToken> condition_tokens(const std::string &text);
} // namespace strut
