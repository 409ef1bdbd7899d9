// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <algorithm>

#include "plugin/problem/body_checks.h"
#include "plugin/problem/problem.h"

namespace strut::plugin
{
void Problem::check_well_posed() const
{
  const Communicator communicator(communicator_);
  if (supports_.empty() && communicator.sum(mesh_.constrained_dofs.size()) == 0)
    throw EntryError(
      {"Supports"},
      "",
      "There is no support: nothing holds the structure.\n"
      "Add 'subsection Supports / subsection <name>' with a region. Boundary ids of the mesh:\n" +
        summary_.boundary_table());
  check_bodies(communicator, *triangulation_, mesh_, summary_);

  const bool prescribed = std::any_of(mesh_.constrained_values.begin(),
                                      mesh_.constrained_values.end(),
                                      [](const double value) { return value != 0.; });
  if (communicator.any(prescribed))
    return;
  for (const LoadCase &load_case : load_cases_)
    {
      if (loads_.empty())
        throw EntryError({"Loads"},
                         "",
                         "There is no load and no prescribed displacement: nothing acts on the "
                         "structure.\nAdd 'subsection Loads / subsection <name>' with a region and "
                         "a value.");
      if (load_case.has_weight)
        continue;
      const auto acts = [&](const std::vector<double> &forces) {
        return communicator.any(
          std::any_of(forces.begin(), forces.end(), [](const double f) { return f != 0.; }));
      };
      const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const auto &candidate) {
        return candidate->load_case() == load_case.name;
      });
      if (!acts(load_case.forces))
        throw EntryError((*load)->path(),
                         "Value",
                         "The forces of load case '" + load_case.name +
                           "' are zero.\nGive its loads a value other than zero.");
      std::vector<double> forces = load_case.forces;
      for (const LocalIndex dof : mesh_.constrained_dofs)
        if (dof < forces.size())
          forces[dof] = 0.;
      if (!acts(forces))
        throw EntryError((*load)->path(),
                         "",
                         "The forces of load case '" + load_case.name +
                           "' act on supported nodes only, where they do nothing.\nChoose another "
                           "region for the load, or for the support.");
    }
}
} // namespace strut::plugin
