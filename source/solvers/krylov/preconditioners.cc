// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"

#include <strut/solvers/krylov/preconditioner.h>

#include <algorithm>

// All preconditioners, the better ones first; each is a function in a file of its name.
#define STRUT_PRECONDITIONERS(PRECONDITIONER) \
  PRECONDITIONER(multigrid_preconditioner)    \
  PRECONDITIONER(jacobi_preconditioner)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_PRECONDITIONERS, PreconditionerEntry)

namespace
{
const std::vector<PreconditionerEntry> &built_in()
{
  static const std::vector<PreconditionerEntry> list = {STRUT_CALL_EACH(STRUT_PRECONDITIONERS)};
  return list;
}

/// The list of preconditioners, which grows with add_preconditioner().
std::vector<PreconditionerEntry> &list()
{
  static std::vector<PreconditionerEntry> list = built_in();
  return list;
}

bool can_be_made(const PreconditionerEntry &entry, const Precision precision)
{
  return precision == Precision::fp64   ? entry.in_double != nullptr
         : precision == Precision::fp32 ? entry.in_float != nullptr
                                        : entry.mixed != nullptr && entry.in_double != nullptr;
}
} // namespace

const std::vector<PreconditionerEntry> &preconditioners()
{
  return list();
}

void add_preconditioner(const PreconditionerEntry &preconditioner)
{
  add_named(list(), preconditioner, "a preconditioner");
}

const PreconditionerEntry &find_preconditioner(const std::string &name)
{
  return find_named(list(), name, "preconditioner");
}

void check_values(const PreconditionerSettings &settings)
{
  check_values(settings.values,
               find_preconditioner(settings.name).parameters,
               "The preconditioner '" + settings.name + "'");
}

std::optional<RefusedParameter> find_conflict(const PreconditionerSettings &settings,
                                              const Surroundings &around)
{
  Surroundings surroundings = around;
  if (around.communicator.any(!around.structure.mesh.spring_dofs.empty()))
    surroundings.has_shift = true;
  const PreconditionerEntry &entry = find_preconditioner(settings.name);
  for (const Conflict &conflict : entry.conflicts)
    {
      const Parameter &parameter = find_named(entry.parameters, conflict.parameter, "parameter");
      const auto found           = settings.values.find(conflict.parameter);
      const std::string &value =
        found != settings.values.end() ? found->second.text() : parameter.default_value;
      if (conflict.value.empty() ? value == parameter.default_value : value != conflict.value)
        continue;
      if (const std::string reason = conflict.reason(settings, surroundings); !reason.empty())
        return RefusedParameter{conflict.parameter, reason};
    }
  return std::nullopt;
}

PreconditionerChoice choose_preconditioner(const std::string &wanted,
                                           const Precision precision,
                                           const Communicator &communicator,
                                           const Structure &structure)
{
  using Refusal = PreconditionerChoice::Refusal;
  PreconditionerChoice choice;
  const auto take = [&](const PreconditionerEntry &entry) {
    const std::string obstacle =
      entry.obstacle == nullptr ? "" : entry.obstacle(communicator, structure);
    if (choice.obstacle.empty())
      choice.obstacle = obstacle; // The first obstacle is the reason.
    if (!obstacle.empty())
      return Refusal::preconditioner;
    choice.name = entry.name;
    choice.text = entry.describe == nullptr ? entry.name : entry.describe(communicator, structure);
    return can_be_made(entry, precision) ? Refusal::none : Refusal::precision;
  };
  const bool automatic = wanted == "auto";
  if (!automatic)
    choice.refusal = take(find_preconditioner(wanted));
  if (automatic || choice.refusal == Refusal::preconditioner)
    {
      const auto found = std::find_if(built_in().begin(), built_in().end(), [&](const auto &entry) {
        return take(entry) == Refusal::none;
      });
      if (automatic && found == built_in().end())
        choice.refusal = Refusal::precision;
    }
  return choice;
}
} // namespace strut
