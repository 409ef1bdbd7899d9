// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"

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
  return add_nodal_forces(context, load, true);
}
} // namespace strut::plugin
