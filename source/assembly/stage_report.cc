// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/assembly/stage_report.h>
#include <strut/base/exceptions.h>

#include <sstream>

namespace strut
{
double StageReport::seconds() const
{
  double sum = 0;
  for (const Step &step : steps)
    sum += step.seconds;
  return sum;
}

void require_memory(const Memory &memory, const double bytes, const std::string &what)
{
  const double free = static_cast<double>(memory.available());
  if (bytes <= free)
    return;
  std::ostringstream text;
  text << "Not enough memory for " << what << ": " << bytes / 1e6 << " MB needed, " << free / 1e6
       << " MB free, " << static_cast<double>(memory.in_use()) / 1e6
       << " MB already taken by this run.";
  throw OutOfMemory(text.str(), Remedy::use_operator_without_matrix);
}
} // namespace strut
