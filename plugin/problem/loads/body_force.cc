// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/load_integrals.h>

#include "plugin/problem/loads/loads.h"

namespace strut::plugin
{
// `body force`: a force per volume on the elements of the region.
std::string assemble_body_force(const LoadContext &context, const Load &load)
{
  return add_volume_integral(context, load, [&](const dealii::Point<3> &) { return load.value(); });
}
} // namespace strut::plugin
