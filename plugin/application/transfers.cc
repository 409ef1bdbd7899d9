// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/transfers.h>

#include <ostream>
#include <sstream>

namespace strut
{
namespace
{
std::string describe(const Transfers::Direction &direction, const char *const name)
{
  std::ostringstream out;
  out.precision(3);
  out << direction.count << ' ' << name << (direction.count == 1 ? ", " : "s, ")
      << static_cast<double>(direction.bytes) / 1e6 << " MB, " << 1e3 * direction.seconds << " ms";
  return out.str();
}
} // namespace

std::string Transfers::describe() const
{
  return strut::describe(uploads, "upload") + "; " + strut::describe(downloads, "download");
}

std::ostream &operator<<(std::ostream &out, const Transfers &transfers)
{
  return out << transfers.describe();
}
} // namespace strut
