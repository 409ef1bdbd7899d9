// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <string>

#include "plugin/base/background_steps.h"

namespace strut
{
namespace
{
TEST(BackgroundTest, OnePieceAfterTheOther)
{
  std::string order;
  Background background;
  for (const char c : {'a', 'b', 'c', 'd'})
    background.start([&order, c] { order += c; });
  background.wait();
  EXPECT_EQ(order, "abcd");
  background.wait(); // nothing left to wait for
}

// The error of a piece is thrown once, by the next call; the piece after it is done nevertheless.
TEST(BackgroundTest, AnErrorComesWithTheNextCall)
{
  bool done = false;
  Background background;
  background.start([] { throw Error("the disk is full"); });
  try
    {
      background.start([&] { done = true; });
      FAIL() << "no error";
    }
  catch (const Error &error)
    {
      EXPECT_STREQ(error.what(), "the disk is full");
    }
  background.wait();
  EXPECT_TRUE(done);

  background.start([] { throw Error("again"); });
  EXPECT_THROW(background.wait(), Error);
  EXPECT_NO_THROW(background.wait());
}

TEST(BackgroundTest, TheEndWaits)
{
  bool done = false;
  {
    Background background;
    background.start([&] { done = true; });
  }
  EXPECT_TRUE(done);
}
} // namespace
} // namespace strut
