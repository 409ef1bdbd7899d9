// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/background_steps.h"

#include "tests/plugin/text_checks.h"

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
  EXPECT_EQ(message_of<Error>([&] { background.start([&] { done = true; }); }), "the disk is full");
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
