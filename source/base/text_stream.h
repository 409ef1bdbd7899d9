// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sstream>

namespace strut
{
/// A text for a file. Without memory it throws std::bad_alloc, where std::ostringstream ends its text, says nothing, and the
/// file has a half.
class TextStream : public std::stringstream
{
public:
  TextStream()
  {
    exceptions(std::ios::badbit);
  }
};
} // namespace strut
