// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/load_integrals.h>

#include "plugin/deck/problem/loads/nodal_forces.h"
#include "plugin/deck/problem/region_members.h"

namespace strut
{
bool acts_on_faces(const LoadContext &context, const Load &load)
{
  return region_area(context, load) > 0. &&
         !(load.region.has_node_sets() &&
           count_nodes_by_faces(context.mesh, context.communicator, load.region).beside > 0);
}

namespace loads
{
// A uniform traction over the boundary faces of the region, or equal parts on its nodes.
LoadType total_force()
{
  return {"total force",
          "the value in all, uniform over the region's boundary faces, or equal parts on its nodes",
          [](const LoadContext &context, const Load &load) {
            if (acts_on_faces(context, load))
              return add_face_integral(context,
                                       load,
                                       [traction = load.value() / region_area(context, load)](
                                         const dealii::Point<3> &, const dealii::Tensor<1, 3> &) {
                                         return traction;
                                       });
            const auto n = dealii::Utilities::MPI::sum(
              select_nodes(context.mesh, context.communicator, load.region).size(),
              context.communicator);
            return add_nodal_forces(context,
                                    load,
                                    [&](const dealii::Point<3> &) {
                                      return load.value() / static_cast<double>(n);
                                    }) +
                   note_on_equal_parts(context);
          }};
}
} // namespace loads
} // namespace strut
