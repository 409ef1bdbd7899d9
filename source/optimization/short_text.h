// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sstream>
#include <string>

namespace strut
{
/// A number for a message, to six digits.
inline std::string short_text(const double value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}
} // namespace strut
