// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include "plugin/deck/problem/loads/nodal_forces.h"
#include "plugin/deck/problem/region_members.h"

namespace strut
{
std::string
add_nodal_forces(const LoadContext &context, const Load &load, const bool in_equal_parts)
{
  const NodeSet nodes = select_nodes(context.mesh, context.communicator, load.region);
  const auto count    = dealii::Utilities::MPI::sum(nodes.size(), context.communicator);
  if (count == 0)
    load.region.throw_selects_nothing("node", context.summary);
  if (context.selection != nullptr)
    *context.selection = selected_nodes(nodes, context.mesh, load.region);
  const double n_parts = in_equal_parts ? static_cast<double>(count) : 1.;
  for (const LocalIndex node : nodes)
    for (unsigned int c = 0; c < 3; ++c)
      context.forces[3 * std::size_t(node) + c] += load.value()[c] / n_parts;
  const ElementType &type = context.mesh.elements.type;
  return std::to_string(count) + " nodes" +
         (type.n_nodes > type.n_vertices
            ? ", equal parts, which no uniform traction has on elements of type " +
                std::string(type.name)
            : "");
}

namespace loads
{
LoadType force_per_node()
{
  return {"force per node",
          "the value on every node of the region",
          [](const LoadContext &context, const Load &load) {
            return add_nodal_forces(context, load, false);
          }};
}
} // namespace loads
} // namespace strut
