// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron.h"
#include "source/mesh/faces.h"
#include <strut/base/host_device.h>

#include <cstdint>

namespace strut
{
/// The part of a hexahedron in which a nodal field is at least a level, by marching cubes (Lorensen
/// and Cline 1987). The tables follow from one rule, without a list of cases.
///
/// All coordinates are those of the unit cube of hexahedron.h. A corner is marked if the field is
/// at least the level. The field is linear along an edge, so an edge between a marked and an
/// unmarked corner is cut once. The corners of a face are counter-clockwise as seen from outside.
/// On each face, every maximal run of marked corners is a cap. It is the polygon of the cut where
/// the run begins, its corners, and the cut where it ends.
///
/// Each cut edge begins a run on one of its two faces, and ends one on the other. So the segments
/// from begin to end form closed loops, which are the pieces of the iso-surface. Two marked corners
/// across a face are two runs for both elements at the face. So neighbours agree, and surfaces have
/// no holes. Caps and loops, oriented outwards, bound the marked part.
///
/// Loops are fans about the mean of their points. These are exact for planes, and the same for all
/// 48 symmetries of the cube, unlike fans from one of the points.
namespace iso_cell
{
constexpr int n_edges = 12;

/// Number of the edge between two neighbouring corners: four per direction.
STRUT_HOST_DEVICE constexpr int edge_between(const int v, const int w)
{
  const int d = (v ^ w) >> 1, low = v & w;
  return 4 * d + ((low >> (d + 1) % 3) & 1) + 2 * ((low >> (d + 2) % 3) & 1);
}

STRUT_HOST_DEVICE constexpr int edge_direction(const int edge)
{
  return edge >> 2;
}

/// The corner at which an edge begins; it ends at `edge_begin | 1 << edge_direction`.
STRUT_HOST_DEVICE constexpr int edge_begin(const int edge)
{
  const int d = edge_direction(edge);
  return (edge & 1) << (d + 1) % 3 | (edge >> 1 & 1) << (d + 2) % 3;
}

STRUT_HOST_DEVICE constexpr bool is_marked(const int marking, const int corner)
{
  return (marking >> corner & 1) != 0;
}

/// Whether a run of marked corners begins at corner k of a face. A face with four marked corners
/// has no beginning.
STRUT_HOST_DEVICE constexpr bool begins_run(const int marking, const int f, const int k)
{
  return is_marked(marking, face_corner(f, k)) && !is_marked(marking, face_corner(f, (k + 3) % 4));
}

STRUT_HOST_DEVICE constexpr int run_length(const int marking, const int f, const int k)
{
  int n = 1;
  while (n < 4 && is_marked(marking, face_corner(f, (k + n) % 4)))
    ++n;
  return n;
}

/// The next cut edge in the loop of each cut edge, 4 bits each, edge 0 lowest; 15 for edges that
/// are not cut.
///
/// @param marking  bit v: corner v is marked
STRUT_HOST_DEVICE constexpr std::uint64_t loops(const int marking)
{
  std::uint64_t next = 0xffffffffffffULL;
  for (int f = 0; f < 6; ++f)
    for (int k = 0; k < 4; ++k)
      if (begins_run(marking, f, k))
        {
          const int end   = k + run_length(marking, f, k);
          const int enter = edge_between(face_corner(f, (k + 3) % 4), face_corner(f, k));
          const int leave = edge_between(face_corner(f, (end + 3) % 4), face_corner(f, end % 4));
          next ^= static_cast<std::uint64_t>(15 ^ leave) << 4 * enter;
        }
  return next;
}

STRUT_HOST_DEVICE constexpr int next_edge(const std::uint64_t loops, const int edge)
{
  return static_cast<int>(loops >> 4 * edge & 15);
}

struct Point
{
  double x[3];
};

/// Marks the corners where the field, `[8]`, is at least the level.
STRUT_HOST_DEVICE inline int marking(const double (&field)[8], const double level)
{
  int marked = 0;
  for (int v = 0; v < 8; ++v)
    marked |= (field[v] >= level ? 1 : 0) << v;
  return marked;
}

STRUT_HOST_DEVICE inline Point corner(const int v)
{
  return {
    {static_cast<double>(v & 1), static_cast<double>(v >> 1 & 1), static_cast<double>(v >> 2)}};
}

/// The point where a cut edge crosses the level.
STRUT_HOST_DEVICE inline Point cut(const int edge, const double (&field)[8], const double level)
{
  const int d        = edge_direction(edge);
  const int begin    = edge_begin(edge);
  const double first = field[begin], last = field[begin | 1 << d];
  Point point = corner(begin);
  point.x[d]  = (level - first) / (last - first);
  return point;
}

/// Calls `triangle(a, b, c)` for the caps of one face, oriented outwards.
template <typename Triangle>
STRUT_HOST_DEVICE void for_each_cap_triangle(const int f,
                                             const int marking,
                                             const double (&field)[8],
                                             const double level,
                                             const Triangle &triangle)
{
  if (run_length(marking, f, 0) == 4 && is_marked(marking, face_corner(f, 0)))
    {
      const Point first = corner(face_corner(f, 0)), middle = corner(face_corner(f, 2));
      triangle(first, corner(face_corner(f, 1)), middle);
      triangle(first, middle, corner(face_corner(f, 3)));
      return;
    }
  for (int k = 0; k < 4; ++k)
    if (begins_run(marking, f, k))
      {
        const int n = run_length(marking, f, k);
        const Point first =
          cut(edge_between(face_corner(f, (k + 3) % 4), face_corner(f, k)), field, level);
        Point last = corner(face_corner(f, k));
        for (int i = 1; i < n; ++i)
          {
            const Point next = corner(face_corner(f, (k + i) % 4));
            triangle(first, last, next);
            last = next;
          }
        triangle(first,
                 last,
                 cut(edge_between(face_corner(f, (k + n + 3) % 4), face_corner(f, (k + n) % 4)),
                     field,
                     level));
      }
}

/// Calls `triangle(a, b, c)` for the iso-surface in the cell, oriented outwards.
template <typename Triangle>
STRUT_HOST_DEVICE void for_each_iso_triangle(const int marking,
                                             const double (&field)[8],
                                             const double level,
                                             const Triangle &triangle)
{
  const std::uint64_t next = loops(marking);
  unsigned int seen        = 0;
  for (int begin = 0; begin < n_edges; ++begin)
    if (next_edge(next, begin) != 15 && (seen >> begin & 1) == 0)
      {
        Point mean{};
        int n = 0;
        for (int edge = begin; n == 0 || edge != begin; edge = next_edge(next, edge), ++n)
          {
            seen |= 1u << edge;
            const Point point = cut(edge, field, level);
            for (int d = 0; d < 3; ++d)
              mean.x[d] += point.x[d];
          }
        for (double &x : mean.x)
          x /= n;
        Point last = cut(begin, field, level);
        for (int i = 0, edge = begin; i < n; ++i)
          {
            edge              = next_edge(next, edge);
            const Point point = cut(edge, field, level);
            triangle(mean, last, point);
            last = point;
          }
      }
}

/// Calls `triangle(a, b, c)` for the boundary of the marked part. It omits the three faces at
/// corner 0, whose cones from that corner are flat.
template <typename Triangle>
STRUT_HOST_DEVICE void for_each_facet(const int marking,
                                      const double (&field)[8],
                                      const double level,
                                      const Triangle &triangle)
{
  for (int f = 1; f < 6; f += 2)
    for_each_cap_triangle(f, marking, field, level, triangle);
  for_each_iso_triangle(marking, field, level, triangle);
}

/// Six times the volume of the tetrahedron of corner 0 and a triangle, in the unit cube.
STRUT_HOST_DEVICE inline double cone(const Point &a, const Point &b, const Point &c)
{
  return a.x[0] * (b.x[1] * c.x[2] - b.x[2] * c.x[1]) +
         a.x[1] * (b.x[2] * c.x[0] - b.x[0] * c.x[2]) +
         a.x[2] * (b.x[0] * c.x[1] - b.x[1] * c.x[0]);
}

/// Share of a parallelepiped in which the field is at least the level. It uses the divergence
/// theorem over caps and loops, which needs no tetrahedra of the part itself.
STRUT_HOST_DEVICE inline double fraction(const double (&field)[8], const double level)
{
  const int marked = marking(field, level);
  if (marked == 0)
    return 0.;
  if (marked == 255)
    return 1.;
  double sum = 0.;
  for_each_facet(marked, field, level, [&](const Point &a, const Point &b, const Point &c) {
    sum += cone(a, b, c);
  });
  return sum / 6.;
}

/// Share of a tetrahedron in which a field, linear between the values at its vertices, is at least
/// the level.
STRUT_HOST_DEVICE inline double fraction_of_tetrahedron(const double (&field)[4],
                                                        const double level)
{
  double f[4]; // those from the level on come first
  int n = 0, end = 4;
  for (int v = 0; v < 4; ++v)
    f[field[v] >= level ? n++ : --end] = field[v];
  const auto cut = [&](const int from, const int to) {
    return (f[from] - level) / (f[from] - f[to]);
  };
  switch (n)
    {
      case 0:
        return 0.;
      case 1:
        return cut(0, 1) * cut(0, 2) * cut(0, 3);
        case 2: // a wedge, as three tetrahedra
        {
          const double ac = cut(0, 2), ad = cut(0, 3), bc = cut(1, 2), bd = cut(1, 3);
          return ac * ad + bc * bd * (1. - ac) + ac * bd * (1. - ad);
        }
      case 3:
        return 1. - (1. - cut(0, 3)) * (1. - cut(1, 3)) * (1. - cut(2, 3));
      default:
        return 1.;
    }
}

/// The determinant of the Jacobian of a trilinear map, from the coefficients of its monomials. They
/// are found once. Then a point takes a third of the operations of the gradients of all shapes.
class Determinant
{
public:
  /// @param X  vertex coordinates, `[3][8]`
  STRUT_HOST_DEVICE explicit Determinant(const double (&X)[3][8])
  {
    for (int i = 0; i < 3; ++i)
      {
        const double(&x)[8]  = X[i];
        double(&c)[n_powers] = coefficients_[i];
        for (int d = 0; d < 3; ++d)
          {
            const int next = 1 << (d + 1) % 3, last = 1 << (d + 2) % 3;
            c[d]     = x[1 << d] - x[0];
            c[3 + d] = x[next | last] - x[next] - x[last] + x[0];
          }
        c[6] = x[7] - x[6] - x[5] - x[3] + x[1] + x[2] + x[4] - x[0];
      }
  }

  STRUT_HOST_DEVICE double operator()(const Point &point) const
  {
    double J[3][3];
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        {
          const double(&c)[n_powers] = coefficients_[i];
          const int next = (d + 1) % 3, last = (d + 2) % 3;
          J[i][d] = c[d] + c[3 + last] * point.x[next] +
                    (c[3 + next] + c[6] * point.x[next]) * point.x[last];
        }
    return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) +
           J[0][1] * (J[1][2] * J[2][0] - J[1][0] * J[2][2]) +
           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
  }

private:
  static constexpr int n_powers = 7; ///< x_d; products of the two others, by the third; all three
  double coefficients_[3][n_powers];
};

/// Signed integral of the determinant over the tetrahedron of corner 0 and a triangle. It is exact:
/// the determinant of a trilinear map is a polynomial of total degree 4, and the rule of 11 points
/// integrates that degree (Keast 1986).
STRUT_HOST_DEVICE inline double
cone_volume(const Determinant &determinant, const Point &a, const Point &b, const Point &c)
{
  const double scale = cone(a, b, c);
  if (scale == 0.)
    return 0.;
  double sum     = 0.;
  const auto add = [&](const double weight, const double la, const double lb, const double lc) {
    Point point;
    for (int d = 0; d < 3; ++d)
      point.x[d] = la * a.x[d] + lb * b.x[d] + lc * c.x[d];
    sum += weight * determinant(point);
  };
  add(-74. / 5625., 0.25, 0.25, 0.25);
  constexpr double near = 11. / 14., far = 1. / 14.;
  for (int k = 0; k < 4; ++k)
    add(343. / 45000., k == 1 ? near : far, k == 2 ? near : far, k == 3 ? near : far);
  constexpr double p = 0.39940357616679920, q = 0.10059642383320080;
  for (int k = 1; k < 7; ++k) // two of the four barycentric coordinates are p
    add(56. / 2250., k & 1 ? p : q, k & 2 ? p : q, k & 4 ? p : q);
  return scale * sum;
}

/// Volume in real space of the part in which the field is at least the level. Neighbours have the
/// same bilinear faces, so the parts of a mesh neither overlap nor leave gaps.
///
/// On a CPU it is not inlined, so that all callers in a program get the same bits. Compilers round
/// sums of products once or twice, as it suits the code around them.
///
/// @param X  vertex coordinates, `[3][8]`
#if !defined(__CUDACC__)
[[gnu::noinline]]
#endif
STRUT_HOST_DEVICE inline double
volume(const double (&X)[3][8], const double (&field)[8], const double level)
{
  const Determinant determinant(X);
  double sum = 0.;
  for_each_facet(marking(field, level),
                 field,
                 level,
                 [&](const Point &a, const Point &b, const Point &c) {
                   sum += cone_volume(determinant, a, b, c);
                 });
  return sum;
}
} // namespace iso_cell
} // namespace strut
