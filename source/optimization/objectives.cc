// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "compliance.h"

#include <strut/base/exceptions.h>
#include <strut/base/registry.h>
#include <strut/optimization/objective.h>

namespace strut
{
namespace
{
std::vector<ObjectiveEntry> &list()
{
  static std::vector<ObjectiveEntry> list = {
    compliance(),
  };
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
} // namespace strut
