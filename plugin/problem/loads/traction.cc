// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
// `traction`: a force per area, the same vector on all boundary faces of the region.
std::string assemble_traction(const LoadContext &context, const Load &load)
{
  return add_face_integral(context,
                           load,
                           [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &) {
                             return load.value();
                           });
}
} // namespace strut::plugin
