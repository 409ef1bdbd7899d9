// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sstream>
#include <string>

namespace strut
{
/// A number for a message, to six digits or another number of them.
inline std::string short_text(const double value, const int n_digits = 6)
{
  std::ostringstream text;
  text.precision(n_digits);
  text << value;
  return text.str();
}
} // namespace strut
