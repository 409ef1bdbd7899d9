// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut::plugin
{
/// The condition of a region, parsed: the expression that deal.II's FunctionParser evaluates for it.
struct Condition
{
  std::string formula;        ///< muParser's text, 1 where the condition holds and 0 elsewhere
  bool is_everywhere = false; ///< it says so: `everywhere` or `true`

  /// A comparison of a coordinate with a number, such as `x > xmax - tol`.
  struct Bound
  {
    unsigned int direction = 0;
    std::string by;     ///< `<`, `<=`, `>` or `>=`
    std::string number; ///< muParser's text, without x, y and z
  };
  /// Those that must all be true where the condition holds. A few per cent of the time of the formula tells of most points
  /// of a mesh that it does not.
  std::vector<Bound> bounds = {};

  /// Understand the text of an `Expression`: comparisons of numbers, joined by `and`, `or`, `not` (`&&`,
  /// `||`, `!`). muParser alone takes too much for a condition: `x = 32` assigns and holds everywhere,
  /// `x > 31,5` is 5 and holds everywhere, `0 < x < 3` compares the result of `0 < x` with 3.
  ///
  /// @param constants  names besides x, y, z and pi
  /// @throws Error  that says what is wrong and what to write instead
  static Condition read(const std::string &text, const std::vector<std::string> &constants);
};
} // namespace strut::plugin
