// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/load_integrals.h>

namespace strut::loads
{
LoadType body_force()
{
  return {"body force",
          "force per volume on the region's elements, whatever their densities",
          [](const LoadContext &context, const Load &load) {
            return add_volume_integral(context, load, [&](const dealii::Point<3> &) {
              return load.value();
            });
          }};
}
} // namespace strut::loads
