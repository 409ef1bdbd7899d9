// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/types/tet10.h"

namespace strut
{
/// The quadratic tetrahedron with curved lines, or with nodes that are not in the middle of their
/// line. Four points fail its patch test, as the adjugate of the Jacobian has degree 2, and a
/// gradient degree 1. These eight are exact for all polynomials of degree 3, and for the fourth
/// powers of barycentric coordinates. Each vertex has two of them, with the barycentric coordinates
/// 1/4 + 3 t/4 for that vertex and 1/4 - t/4 for the others.
struct Tet10Curved : Tet10
{
  static constexpr int n_quadrature_points = 8;
  static constexpr const char *name        = "tet10-curved";

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    const bool is_outer = q < 4;
    const auto own      = Number(is_outer ? 0.67914317820120795168 : 0.015835909865720057993);
    const auto other    = Number(is_outer ? 0.10695227393293068277 : 0.32805469671142664734);
    for (int d = 0; d < 3; ++d)
      x[d] = q % 4 == d + 1 ? own : other;
    return Number(is_outer ? 0.018578672248022976279 : 0.023087994418643690387);
  }
};
} // namespace strut
