// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Errors of the core, which have a reason and a remedy.
#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <set>

namespace strut::test
{
namespace
{
TEST(Remedies, EachHasASentenceOfItsOwn)
{
  EXPECT_EQ(plain_words(Remedy::none), "");
  std::set<std::string> sentences;
  for (int i = 1; i < n_remedies; ++i)
    {
      const std::string sentence = plain_words(static_cast<Remedy>(i));
      ASSERT_FALSE(sentence.empty()) << i;
      EXPECT_EQ(sentence.back(), '.') << sentence;
      EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
    }
}

// A remedy without other words is complete, too.
TEST(Remedies, AreBelowTheReason)
{
  const SolverFailure failure("It has not converged.", Remedy::allow_more_iterations, true);
  EXPECT_EQ(failure.reason, "It has not converged.");
  EXPECT_STREQ(failure.what(),
               "It has not converged.\n  Raise the maximum of iterations or the tolerance.");
  EXPECT_STREQ(Error("It is so.").what(), "It is so.");
}
} // namespace
} // namespace strut::test
