// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/program.h"

#include <gtest/gtest.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include "plugin/programs/options.h"

namespace strut
{
namespace
{
TEST(Program, TellsOfAnEntryThoughTheDeckIsGone)
{
  testing::internal::CaptureStderr();
  const int code    = guard("strut", {"removed-since.prm", {}}, deck_remedy, []() -> int {
    throw EntryError({"Compute"}, "Device", "It has gone.");
  });
  const bool speaks = Communicator(MPI_COMM_WORLD).rank() == 0;
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            speaks ? "\nstrut: error: removed-since.prm: Compute / Device\n  It has gone.\n" : "");
  EXPECT_EQ(code, 1);
}
} // namespace
} // namespace strut
