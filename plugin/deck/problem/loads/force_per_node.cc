// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include "plugin/deck/problem/loads/nodal_forces.h"
#include "plugin/deck/problem/region_members.h"

namespace strut
{
std::string
add_nodal_forces(const LoadContext &context,
                 const Load &load,
                 const std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &)> &force)
{
  const NodeSet nodes = select_nodes(context.mesh, context.communicator, load.region);
  const auto count    = dealii::Utilities::MPI::sum(nodes.size(), context.communicator);
  if (count == 0)
    load.region.throw_selects_nothing("node", context.summary);
  if (context.selection != nullptr)
    *context.selection = selected_nodes(nodes, context.mesh, load.region);
  const ElementMesh &mesh = context.mesh.elements;
  for (const LocalIndex node : nodes)
    {
      dealii::Point<3> x;
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = mesh.coordinates[d * mesh.n_nodes + node];
      const dealii::Tensor<1, 3> f = force(x);
      for (unsigned int c = 0; c < 3; ++c)
        context.forces[3 * std::size_t(node) + c] += f[c];
    }
  return std::to_string(count) + " nodes";
}

std::string note_on_equal_parts(const LoadContext &context)
{
  const ElementType &type = context.mesh.elements.type;
  return type.n_nodes > type.n_vertices
           ? ", equal parts, which no uniform traction has on elements of type " +
               std::string(type.name)
           : "";
}

namespace loads
{
LoadType force_per_node()
{
  return {"force per node",
          "the value on every node of the region",
          [](const LoadContext &context, const Load &load) {
            return add_nodal_forces(context,
                                    load,
                                    [&](const dealii::Point<3> &) { return load.value(); }) +
                   note_on_equal_parts(context);
          }};
}
} // namespace loads
} // namespace strut
