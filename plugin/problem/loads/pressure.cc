// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
// `pressure`: a force per area against the outward normal of the boundary faces of the region; the
// first component of the value is its size.
std::string assemble_pressure(const LoadContext &context, const Load &load)
{
  if (load.value()[1] != 0. || load.value()[2] != 0.)
    throw EntryError(load.path(),
                     "Value",
                     "A pressure has one number, the first, and no direction: it acts against the "
                     "normal.\nWrite 'set Value = p, 0, 0', or use 'set Type = traction'.");
  return add_face_integral(context,
                           load,
                           [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &normal) {
                             return -load.value()[0] * normal;
                           });
}
} // namespace strut::plugin
