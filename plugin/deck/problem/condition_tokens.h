// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut::plugin
{
/// A word of a condition.
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
  /// As written, but for `and`, `or`, `&`, `|`, which are `&&` and `||`, and `not`, `true`, `false`,
  /// `everywhere` in capitals; empty at the end.
  std::string text;
  std::size_t place; ///< of its first character, from 1
};

/// The words of an expression, and one of Kind::end. Throws Error for characters that are no word, and for an expression of
/// many thousand characters.
std::vector<ConditionToken> condition_tokens(const std::string &text);
} // namespace strut::plugin
