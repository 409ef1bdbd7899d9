// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/hex20.h"

namespace strut
{
/// The serendipity hexahedron with the 14 points of Irons (1971), which are exact for polynomials
/// of total degree 5. It takes half the work of 3x3x3. The matrix differs slightly, since its
/// integrand has degree 6 on a parallelepiped. It has no hourglass modes, and passes the patch test
/// where lines are straight.
struct Hex20Irons : Hex20
{
  static constexpr int n_quadrature_points = 14;
  static constexpr const char *name        = "hex20-14";

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    if (q < 6) // on the axes, at distance sqrt(19/30)
      {
        const Number offset = Number((q & 1) != 0 ? 0.39791121287711073 : -0.39791121287711073);
        for (int d = 0; d < 3; ++d)
          x[d] = Number(0.5) + (d == q / 2 ? offset : Number(0));
        return Number(40. / 361.);
      }
    for (int d = 0; d < 3; ++d) // on the diagonals, at sqrt(19/33) in each direction
      x[d] = Number(0.5) +
             Number((((q - 6) >> d) & 1) != 0 ? 0.37939345531966406 : -0.37939345531966406);
    return Number(121. / 2888.);
  }
};
} // namespace strut
