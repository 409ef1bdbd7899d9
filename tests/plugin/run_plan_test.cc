// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck_remedies.h"
#include "plugin/deck/run/run_plan.h"
#include "tests/plugin/text_checks.h"

using namespace strut;

TEST(RunPlanTest, TooMuchIsRefusedWithNeededFreeAndWhatToChange)
{
  MemoryPlan estimate;
  estimate.operator_bytes = 3e9;
  estimate.vector_bytes   = 5e8;
  estimate.design_bytes   = 5e8;
  EXPECT_NO_THROW(require_memory(estimate, 4e9, "cuda", "ebe"));
  const auto error = thrown<OutOfMemory>([&] { require_memory(estimate, 3.9e9, "cuda", "ebe"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(deck_message(*error),
            "Not enough memory on the backend 'cuda': about 4.0 GB needed (operator 'ebe' "
            "3.0 GB, vectors 500.0 MB, design 500.0 MB), 3.9 GB free.\n"
            "  Use a coarser mesh, 'set Precision = float' (half the operator), another "
            "'Operator', or more ranks on more devices or machines.");
}
