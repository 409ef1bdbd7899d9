// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/design_methods.h"
#include "source/base/entries.h"
#include "source/base/registry.h"
#include "source/optimization/problem/volume_constraint.h"

#include <strut/base/exceptions.h>

// All design methods, in the order of the reference; each is a function in a file of its name.
#define STRUT_DESIGN_METHODS(METHOD) \
  METHOD(simp)                       \
  METHOD(iso_stress)                 \
  METHOD(beso)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_DESIGN_METHODS, DesignMethodEntry)

const std::vector<DesignMethodEntry> &design_methods()
{
  static const std::vector<DesignMethodEntry> list = {STRUT_CALL_EACH(STRUT_DESIGN_METHODS)};
  return list;
}

const DesignMethodEntry &find_design_method(const std::string &name)
{
  return find_named(design_methods(), name, "design method");
}

void check_load_case(const DesignMethodEntry &method, const LoadCase &load_case)
{
  if (method.obstacle == nullptr)
    return;
  if (const std::string obstacle = method.obstacle(load_case); !obstacle.empty())
    throw Error("The design method '" + method.name + "' cannot take the load case '" +
                load_case.name + "': " + obstacle);
}

void check_design(const std::string &name, const DesignCheck &design, const ParameterValues &values)
{
  const DesignMethodEntry &entry = find_design_method(name);
  VolumeConstraint::build(design.communicator,
                          design.mesh,
                          design.settings.volume_fraction,
                          entry.counts_void ? design.settings.criteria.minimum_density : 0.,
                          design.settings.count_non_design);
  check_values(values, entry.parameters, "The design method '" + name + "'");
  if (entry.check != nullptr)
    entry.check(design, values);
}

std::unique_ptr<DesignMethod> make_design_method(const std::string &name,
                                                 const DesignContext &context,
                                                 const ParameterValues &values)
{
  const DesignMethodEntry &entry = find_design_method(name);
  for (std::size_t l = 0; l < context.state.n_load_cases(); ++l)
    check_load_case(entry, context.state.load_case(l));
  check_values(values, entry.parameters, "The design method '" + name + "'");
  return entry.make(context, values);
}
} // namespace strut
