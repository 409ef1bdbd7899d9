// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// The parsed condition of a region, as an expression for deal.II's FunctionParser.
struct Condition
{
  std::string formula;        ///< muParser's text, 1 where the condition holds and 0 elsewhere
  bool is_everywhere = false; ///< whether the text is `everywhere` or `true`

  /// A comparison of a coordinate with a number, such as `x > xmax - tol`.
  struct Bound
  {
    unsigned int direction = 0;
    std::string by;     ///< `<`, `<=`, `>` or `>=`
    std::string number; ///< muParser's text, without x, y and z
  };
  /// Bounds that all hold where the condition holds. They exclude most points of a mesh in a few
  /// per cent of the time of the formula.
  std::vector<Bound> bounds = {};

  /// Parses the text of an `Expression`: comparisons of numbers, joined by `and`, `or`, `not`
  /// (`&&`, `||`, `!`). muParser alone would accept too much as a condition. For it, `x = 32`
  /// assigns and holds everywhere, `x > 31,5` is 5 and holds everywhere, and `0 < x < 3` compares
  /// the result of `0 < x` with 3.
  ///
  /// @param constants  names besides x, y, z and pi
  /// @throws Error  with the fault and its correction
  static Condition read(const std::string &text, const std::vector<std::string> &constants);
};
} // namespace strut
