// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>
#include <strut/load.h>

#include <sstream>

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/named_choice.h"
#include "source/base/entries.h"
#include "source/base/registry.h"

// All types of load, in the order of the reference. Each is a function in a file of its name in
// loads/.
#define STRUT_LOADS(LOAD) \
  LOAD(force_per_node)    \
  LOAD(total_force)       \
  LOAD(remote_force)      \
  LOAD(traction)          \
  LOAD(pressure)          \
  LOAD(body_force)        \
  LOAD(self_weight)       \
  LOAD(rotation)          \
  LOAD(thermal_expansion)

namespace strut
{
namespace loads
{
STRUT_DECLARE_EACH(STRUT_LOADS, LoadType)

namespace
{
std::vector<LoadType> &list()
{
  static std::vector<LoadType> list = {STRUT_CALL_EACH(STRUT_LOADS)};
  return list;
}
} // namespace
} // namespace loads

const std::vector<LoadType> &load_types()
{
  return loads::list();
}

void add_load_type(const LoadType &type)
{
  add_named(loads::list(), type, "a load");
}

Load::Load(const std::string &name) : dealii::ParameterAcceptor("/Loads/" + name), name(name)
{
  region.declare(*this, path());
  add_parameter("Type",
                type_,
                summaries_of(load_types()) + ".",
                prm,
                dealii::Patterns::Selection(names_of(load_types())));
  add_parameter("Value", value_, "Its components along x, y and z, in the units of the type.");
  add_parameter("Load case", load_case_, "Name of the load case it belongs to.");
  add_parameters_of(*this, load_types(), values_);
}

ParameterValues Load::values() const
{
  return values_of(values_, type_);
}

void Load::check_values() const
{
  for (const LoadType &type : load_types())
    for (const Parameter &parameter : type.parameters)
      {
        const ParameterValues values = values_of(values_, type.name);
        const auto value             = values.find(parameter.name);
        // Decks that strut writes have the defaults of all types.
        if (type.name != type_ && value != values.end() &&
            value->second.text() != parameter.default_value)
          throw EntryError({"Loads", name, subsection_of(type.name)},
                           parameter.name,
                           "The load has the type '" + type_ +
                             "', which knows no such entry.\n'set Type = " + type.name +
                             "', or leave this subsection out.");
      }
}

std::string Load::describe() const
{
  std::ostringstream text;
  text << type_;
  if (value_.norm() > 0.)
    text << " (" << value_[0] << ", " << value_[1] << ", " << value_[2] << ')';
  return text.str();
}

std::string assemble_load(const LoadContext &context, const Load &load)
{
  load.check_values();
  return find_named(load_types(), load.type(), "load").assemble(context, load);
}
} // namespace strut
