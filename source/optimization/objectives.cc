// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "compliance.h"

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

const ObjectiveEntry &find_objective(const std::string &name)
{
  return find_named(list(), name, "objective");
}
} // namespace strut
