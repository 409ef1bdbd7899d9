// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include "plugin/parameters/deck_remedies.h"
#include "plugin/run/memory_estimate.h"

using namespace strut;
using namespace strut::plugin;

TEST(MemoryEstimate, GrowsWithElementsNodesAndLoadCases)
{
  for (const Strategy<double> &strategy : cpu_strategies<double>())
    {
      const MemoryEstimate one   = estimate_memory(strategy, 1000, 1331, 1, true);
      const MemoryEstimate eight = estimate_memory(strategy, 8000, 8 * 1331, 1, true);
      EXPECT_NEAR(eight.total(), 8. * one.total(), 1e-3 * eight.total()) << strategy.name;
      // a load case more: its displacement and its forces
      EXPECT_EQ(estimate_memory(strategy, 1000, 1331, 2, true).vector_bytes - one.vector_bytes,
                2. * 3. * 1331. * sizeof(double));
      EXPECT_LT(estimate_memory(strategy, 1000, 1331, 1, false).design_bytes, one.design_bytes);
    }
}

TEST(MemoryEstimate, StoredMatricesInFloatAreHalfOfThoseInDouble)
{
  const double in_double =
    estimate_memory(cpu_strategies<double>()[0], 1000, 1331, 1, true).operator_bytes;
  const double in_float =
    estimate_memory(cpu_strategies<float>()[0], 1000, 1331, 1, true).operator_bytes;
  EXPECT_NEAR(in_float, in_double / 2., 0.02 * in_double);
}

TEST(MemoryEstimate, TooMuchIsRefusedWithNeededFreeAndWhatToChange)
{
  MemoryEstimate estimate;
  estimate.operator_bytes = 3e9;
  estimate.vector_bytes   = 5e8;
  estimate.design_bytes   = 5e8;
  EXPECT_NO_THROW(require_memory(estimate, 4e9, "cuda", "ebe"));
  try
    {
      require_memory(estimate, 3.9e9, "cuda", "ebe");
      FAIL() << "nothing was thrown";
    }
  catch (const OutOfMemory &error)
    {
      EXPECT_EQ(deck_message(error),
                "Not enough memory on the backend 'cuda': about 4.0 GB needed (operator 'ebe' "
                "3.0 GB, vectors 500.0 MB, design 500.0 MB), 3.9 GB free.\n"
                "  Use a coarser mesh, 'set Precision = float' (half the operator), another "
                "'Operator', or more ranks on more devices or machines.");
    }
}
