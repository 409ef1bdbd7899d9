// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/loads/face_integral.h"
#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
// `pressure`: a force per area against the outward normal of the boundary faces of the region; the
// first component of the value is its size.
void assemble_pressure(const LoadContext &context, const Load &load)
{
  add_face_integral(context, load, [&](const dealii::Tensor<1, 3> &normal) {
    return -load.value()[0] * normal;
  });
}
} // namespace strut::plugin
