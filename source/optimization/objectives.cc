// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"

#include <strut/base/exceptions.h>
#include <strut/base/registry.h>
#include <strut/optimization/objective.h>

// All objectives; each is a function in a file of its name.
// clang-format off
#define STRUT_OBJECTIVES(OBJECTIVE) \
  OBJECTIVE(compliance)
// clang-format on

namespace strut
{
STRUT_DECLARE_EACH(STRUT_OBJECTIVES, ObjectiveEntry)

namespace
{
std::vector<ObjectiveEntry> &list()
{
  static std::vector<ObjectiveEntry> list = {STRUT_CALL_EACH(STRUT_OBJECTIVES)};
  return list;
}
} // namespace

const std::vector<ObjectiveEntry> &objectives()
{
  return list();
}

void add_objective(const ObjectiveEntry &objective)
{
  add_named(list(), objective, "an objective");
}

void Objective::weight_derivative(StateSolver &, std::size_t, Array<double> &)
{
  throw Error("This objective does not know self weight: it lacks weight_derivative().",
              Remedy::use_other_objective);
}

const ObjectiveEntry &find_objective(const std::string &name)
{
  return find_named(list(), name, "objective");
}

std::unique_ptr<Objective> make_objective(const std::string &name,
                                          Backend &backend,
                                          const Communicator &communicator,
                                          const ElementMesh &mesh,
                                          const ParameterValues &values)
{
  const ObjectiveEntry &entry = find_objective(name);
  check_values(values, entry.parameters, "The objective '" + name + "'");
  return entry.make(backend, communicator, mesh, values);
}
} // namespace strut
