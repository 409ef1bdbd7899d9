// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/load_integrals.h>

namespace strut::loads
{
LoadType traction()
{
  return {"traction",
          "force per area on the region's boundary faces",
          [](const LoadContext &context, const Load &load) {
            return add_face_integral(context,
                                     load,
                                     [&](const dealii::Point<3> &, const dealii::Tensor<1, 3> &) {
                                       return load.value();
                                     });
          }};
}
} // namespace strut::loads
