// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <vector>

namespace strut
{
// A hexahedron has its vertices in deal.II's lexicographic order: v is at (v & 1, v >> 1 & 1, v
// >> 2) of the unit cube. Face f = 2 d + s is the one where coordinate d is s.

/// The vertex at (a, b) of face f, each 0 or 1. Direction a follows the normal's direction
/// cyclically, so a times b is +d for both faces.
constexpr unsigned int face_vertex(const unsigned int f, const unsigned int a, const unsigned int b)
{
  const unsigned int d = f / 2;
  return f % 2 << d | a << (d + 1) % 3 | b << (d + 2) % 3;
}

/// Vertex k = 0..3 of face f, counter-clockwise as seen from outside.
STRUT_HOST_DEVICE constexpr int face_corner(const int f, const int k)
{
  const int d = f >> 1, s = f & 1;
  const int a = 1 << (s == 1 ? (d + 1) % 3 : (d + 2) % 3);
  const int b = 1 << (s == 1 ? (d + 2) % 3 : (d + 1) % 3);
  return (s << d) | (k == 1 || k == 2 ? a : 0) | (k >= 2 ? b : 0);
}

/// The table of face_corner(): around_face[f][k].
constexpr std::array<std::array<unsigned int, 4>, 6> around_face = [] {
  std::array<std::array<unsigned int, 4>, 6> table{};
  for (std::size_t f = 0; f < 6; ++f)
    for (std::size_t k = 0; k < 4; ++k)
      table[f][k] =
        static_cast<unsigned int>(face_corner(static_cast<int>(f), static_cast<int>(k)));
  return table;
}();

/// The vertices of the faces of a tetrahedron, counter-clockwise as seen from outside. Faces are in
/// deal.II's order.
constexpr std::array<std::array<unsigned int, 3>, 4> around_triangle = {
  {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}}};

constexpr unsigned int n_faces(const ElementType &type)
{
  return type.n_vertices == 4 ? 4 : 6;
}
} // namespace strut
