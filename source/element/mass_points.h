// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"

namespace strut
{
/// The quadratic tetrahedron with 14 points, exact for polynomials of degree 5 (Walkington 2000).
/// All weights are positive, so that its mass matrix is positive definite. On straight lines the
/// products of shape functions have degree 4.
struct Tet10Mass : Tet10
{
  static constexpr int n_quadrature_points = 14;

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    if (q < 8) // two for each vertex
      {
        const auto other = Number(q < 4 ? 0.31088591926330060980 : 0.092735250310891226402);
        for (int d = 0; d < 3; ++d)
          x[d] = q % 4 == d + 1 ? Number(1) - Number(3) * other : other;
        return Number(q < 4 ? 0.018781320953002641800 : 0.012248840519393658257);
      }
    // one for each line
    const auto near = Number(0.45449629587435035051), far = Number(0.045503704125649649492);
    const int a = line_vertex(q - 8, 0), b = line_vertex(q - 8, 1);
    for (int d = 0; d < 3; ++d)
      x[d] = d + 1 == a || d + 1 == b ? near : far;
    return Number(0.0070910034628469110730);
  }
};

/// The linear tetrahedron with four points, exact for polynomials of degree 2.
struct Tet4Mass : Tet4
{
  static constexpr int n_quadrature_points = 4;

  template <typename Number>
  STRUT_HOST_DEVICE static Number quadrature_point(const int q, Number (&x)[3])
  {
    return Tet10::quadrature_point(q, x);
  }
};

/// The element with the quadrature points of the mass, and so of the weight and of other forces per
/// volume. Those of hexahedra are the points of the stiffness, in full. On tetrahedra with straight
/// lines the mass is exact.
template <typename Element>
struct WithMassPoints
{
  using Type = Element;
};
template <>
struct WithMassPoints<Hex20Irons>
{
  using Type = Hex20;
};
template <>
struct WithMassPoints<Tet4>
{
  using Type = Tet4Mass;
};
template <>
struct WithMassPoints<Tet10>
{
  using Type = Tet10Mass;
};
template <>
struct WithMassPoints<Tet10Curved>
{
  using Type = Tet10Mass;
};

/// Calls `action` with the element of a type that has the points of its mass.
template <typename Action>
decltype(auto) with_mass_points(const ElementType &type, const Action &action)
{
  return with_element(type, [&](const auto element) -> decltype(auto) {
    return action(typename WithMassPoints<std::decay_t<decltype(element)>>::Type());
  });
}
} // namespace strut
