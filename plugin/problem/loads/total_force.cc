// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"
#include "plugin/problem/node_set.h"

namespace strut::plugin
{
// `total force`: the force as a uniform traction over the boundary faces of the region; if it has
// none (an edge, a point, nodes inside), in equal parts on its nodes.
std::string assemble_total_force(const LoadContext &context, const Load &load)
{
  const double area = region_area(context, load);
  if (area > 0.)
    {
      const dealii::Tensor<1, 3> traction = load.value() / area;
      return add_face_integral(context,
                               load,
                               [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &) {
                                 return traction;
                               });
    }
  const NodeSet nodes = select_nodes(context.dof_handler, load.region);
  const auto count    = dealii::Utilities::MPI::sum(nodes.size(), context.communicator);
  if (count == 0)
    load.region.throw_selects_nothing("node", context.summary);
  if (context.caught != nullptr)
    *context.caught = caught_nodes(nodes, context.dof_handler, load.region);
  for (const auto &[key, node] : nodes)
    for (unsigned int c = 0; c < 3; ++c)
      context.forces(node.dofs[c]) += load.value()[c] / static_cast<double>(count);
  return std::to_string(count) + " nodes";
}
} // namespace strut::plugin
