// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/slow_solves.h"

namespace strut::plugin
{
namespace
{
/// Most decks take 10 to 30.
constexpr unsigned int many_iterations = 60;
} // namespace

std::string describe_slow_solves(const unsigned int iterations,
                                 const std::string &preconditioner,
                                 const ParameterValues &values,
                                 const bool can_have_pieces)
{
  if (iterations < many_iterations || preconditioner != "multigrid")
    return "";
  std::string remedies;
  const auto offer =
    [&](const std::string &entry, const std::string &choice, const std::string &use) {
      for (const Parameter &parameter : find_preconditioner(preconditioner).parameters)
        if (parameter.name == entry)
          if (const auto value = values.find(entry);
              value == values.end() || value->second.text() != choice)
            remedies += "\n    set " + entry + " = " + choice + "   (" + use + ")";
    };
  offer("Coarse operators", "aggregation", "for thin walls and lattices");
  if (can_have_pieces)
    offer("Rigid pieces", "yes", "for islands of solid in void, as sharp projections make them");
  if (remedies.empty())
    return "";
  return "  NOTE: a solve takes " + std::to_string(iterations) +
         " PCG iterations. In subsection Solver one of these often takes fewer:" + remedies + '\n';
}
} // namespace strut::plugin
