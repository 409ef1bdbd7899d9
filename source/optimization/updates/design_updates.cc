// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"
#include "source/optimization/updates/design_update.h"

#include <strut/base/exceptions.h>

// All updates; each is a function in a file of its name.
#define STRUT_DESIGN_UPDATES(UPDATE) \
  UPDATE(optimality_criteria)        \
  UPDATE(mma)                        \
  UPDATE(gcmma)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_DESIGN_UPDATES, DesignUpdateEntry)

namespace
{
std::vector<DesignUpdateEntry> &list()
{
  static std::vector<DesignUpdateEntry> list = {STRUT_CALL_EACH(STRUT_DESIGN_UPDATES)};
  return list;
}
} // namespace

const std::vector<DesignUpdateEntry> &design_updates()
{
  return list();
}

void add_design_update(const DesignUpdateEntry &update)
{
  add_named(list(), update, "an update");
}

const DesignUpdateEntry &find_design_update(const std::string &name)
{
  return find_named(list(), name, "update");
}

std::unique_ptr<DesignUpdate> make_design_update(const std::string &name,
                                                 const UpdateContext &context)
{
  const DesignUpdateEntry &entry = find_design_update(name);
  check_values(context.values, entry.parameters, "The update '" + name + "'");
  return entry.make(context);
}
} // namespace strut
