// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/greyness_text.h"

#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// Greyness from which a threshold removes members that carry load.
constexpr double much = 0.3;
/// Number of iterations before which all designs are grey.
constexpr unsigned int enough = 20;
} // namespace

std::string
describe_greyness(const double greyness, const unsigned int iteration, const bool projects)
{
  std::ostringstream text;
  text << "Grey (measure of non-discreteness): " << std::round(1000. * greyness) / 10. << " %\n";
  if (greyness >= much && iteration >= enough)
    text
      << "NOTE: much of the design is grey, neither solid nor void, and less stiff than its volume of solid would\n"
         "  be: members thinner than twice the filter radius come out so. A surface at 0.5 may cut them. Take\n"
      << (projects
            ? "  a smaller 'Filter radius', or more iterations if the projection is still changing.\n"
            : "  'Filter = projection', or a smaller 'Filter radius'.\n");
  return text.str();
}
} // namespace strut
