// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/instruction_sets.h"

#include <gtest/gtest.h>

#include <string>

namespace strut::test
{
namespace
{
TEST(InstructionSetsTest, ThisProcessorHasWhatTheCoreWasCompiledFor)
{
  EXPECT_EQ(x86::required_instruction_sets & ~x86::available_instruction_sets(), 0u);
}

TEST(InstructionSetsTest, TheMessageSaysWhatIsMissingAndWhatToDo)
{
  char text[1024];
  x86::describe_missing_instruction_sets(x86::avx | x86::avx2 | x86::fma, text, sizeof(text));
  const std::string message = text;
  EXPECT_EQ(message.find("strut: error: this processor, "), 0u) << message;
  EXPECT_NE(message.find(", lacks instructions that this strut uses: AVX, AVX2, FMA.\n"),
            std::string::npos)
    << message;
  EXPECT_NE(message.find("compiled with -march=" + std::string(x86::required_architecture) + ", "),
            std::string::npos)
    << message;
  EXPECT_NE(message.find("./run.sh"), std::string::npos) << message;
  EXPECT_EQ(message.back(), '\n');
}

TEST(InstructionSetsTest, AMessageThatIsTooLongIsCutOff)
{
  char text[40];
  x86::describe_missing_instruction_sets(~0u, text, sizeof(text));
  EXPECT_EQ(std::string(text).size(), sizeof(text) - 1);
}
} // namespace
} // namespace strut::test
