// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/load_integrals.h>

#include "plugin/deck/problem/loads/nodal_forces.h"
#include "plugin/deck/problem/region_members.h"

namespace strut::loads
{
// A uniform traction over the boundary faces of the region. If it has none (an edge, a point, nodes
// inside), or nodes beside them, its nodes get equal parts.
LoadType total_force()
{
  return {"total force",
          "the value in all, uniform over the region's boundary faces, or equal parts on its nodes",
          [](const LoadContext &context, const Load &load) {
            const double area = region_area(context, load);
            if (!(area > 0.) ||
                (load.region.has_node_sets() &&
                 count_nodes_by_faces(context.mesh, context.communicator, load.region).beside > 0))
              return add_nodal_forces(context, load, true);
            const dealii::Tensor<1, 3> traction = load.value() / area;
            return add_face_integral(context,
                                     load,
                                     [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &) {
                                       return traction;
                                     });
          }};
}
} // namespace strut::loads
