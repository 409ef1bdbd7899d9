// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/stage_report.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>

namespace strut
{
double StageReport::seconds() const
{
  double sum = 0;
  for (const Step &step : steps)
    sum += step.seconds;
  return sum;
}

void require_memory(const Memory &memory, const double bytes, const std::string &stage)
{
  const double free = static_cast<double>(memory.available());
  if (bytes <= free)
    return;
  throw OutOfMemory("Not enough memory for " + stage + ": " + format_bytes(bytes) + " needed, " +
                      format_bytes(free) + " free, " +
                      format_bytes(static_cast<double>(memory.in_use())) +
                      " already taken by this run.",
                    Remedy::use_operator_without_matrix);
}
} // namespace strut
