// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/mma_update.h"

namespace strut
{
DesignUpdateEntry gcmma()
{
  DesignUpdateEntry entry = MmaUpdate::entry<true>();
  entry.name              = "gcmma";
  entry.summary =
    "its globally convergent form, which analyses trials until the approximations are above the functions";
  return entry;
}
} // namespace strut
