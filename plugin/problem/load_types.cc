// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/patterns.h>

#include <strut/base/registry.h>
#include <strut/plugin/load.h>

#include <sstream>

#include "plugin/base/spelling.h"
#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
namespace
{
std::vector<LoadType> &list()
{
  static std::vector<LoadType> list = {
    {"force per node", "the value on every node of the region", &assemble_force_per_node},
    {"total force",
     "the value in all, uniform over the region's boundary faces, or equal parts on its nodes",
     &assemble_total_force},
    {"traction", "force per area on the region's boundary faces", &assemble_traction},
    {"pressure",
     "the first component, against the outward normal of the faces",
     &assemble_pressure},
    {"body force",
     "force per volume on the region's elements, whatever their densities",
     &assemble_body_force},
    {"self weight",
     "force per volume of solid material on the region's elements, times their densities",
     &assemble_self_weight},
  };
  return list;
}
} // namespace

const std::vector<LoadType> &load_types()
{
  return list();
}

void add_load_type(const LoadType &type)
{
  add_named(list(), type, "a load");
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
}

std::string Load::describe() const
{
  std::ostringstream text;
  text << type_ << " (" << value_[0] << ", " << value_[1] << ", " << value_[2] << ')';
  return text.str();
}

std::string assemble_load(const LoadContext &context, const Load &load)
{
  return find_named(load_types(), load.type(), "load").assemble(context, load);
}
} // namespace strut::plugin
