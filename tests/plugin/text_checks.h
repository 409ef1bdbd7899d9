// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/errors.h"

/// Expect that a text has a part, or lacks it. Failures show the text.
#define EXPECT_CONTAINS(...) EXPECT_TRUE(strut::contains(__VA_ARGS__))
#define EXPECT_LACKS(...) EXPECT_FALSE(strut::contains(__VA_ARGS__))

namespace strut
{
inline testing::AssertionResult contains(const std::string &text, const std::string &part)
{
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess() << '"' << part << "\" is in:\n" << text;
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

/// The text between the first `begin` and the next `end`.
inline std::string
between(const std::string &text, const std::string &begin, const std::string &end)
{
  const std::size_t first = text.find(begin);
  if (first == std::string::npos)
    return "";
  const std::size_t start = first + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

using test::message_of;
using test::thrown;
} // namespace strut
