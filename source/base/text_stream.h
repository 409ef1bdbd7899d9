// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <sstream>

namespace strut
{
/// A text stream for a file. It throws std::bad_alloc when memory runs out. std::ostringstream
/// would silently truncate its text, and the file with it.
class TextStream : public std::stringstream
{
public:
  TextStream()
  {
    exceptions(std::ios::badbit);
  }
};
} // namespace strut
