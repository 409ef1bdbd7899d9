// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/mma_update.h"

namespace strut
{
DesignUpdateEntry mma()
{
  DesignUpdateEntry entry = MmaUpdate::entry<false>();
  entry.name              = "mma";
  entry.summary           = "the method of moving asymptotes, for any objective and constraints";
  return entry;
}
} // namespace strut
