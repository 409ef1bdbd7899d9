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

using test::message_of;
} // namespace strut
