// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"
#include "source/element/on_the_fly.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace strut
{
/// The product of an element's stiffness matrix with a vector, for elements of any type, without
/// forming the matrix. It serves the CPU and CUDA; Hex8 has hexahedron::on_the_fly. `Number` is a
/// number, or a pack of numbers (one element per lane).
///
/// At a quadrature point with weight w, with J = grad_ref x and H = grad_ref u, both
/// `[component][direction]`, and A = adj(J) = det(J) J^-1:
///
///     sigma = lambda tr(G) I + mu (G + G^T),   G = H A = det(J) grad u
///     f_a   = sum_q w / det(J) sigma A^T grad_ref N_a
namespace type_product
{
using hexahedron::on_the_fly::adjugate;
using hexahedron::on_the_fly::constant;
using hexahedron::on_the_fly::Division;
using hexahedron::on_the_fly::multiply_add;

/// Lame's parameters of an element, times its stiffness factor.
template <typename Number>
struct Lame
{
  Number lambda, mu;
};

template <typename Number>
STRUT_HOST_DEVICE Number determinant(const Number (&J)[3][3], const Number (&A)[3][3])
{
  return multiply_add(J[0][2], A[2][0], multiply_add(J[0][1], A[1][0], J[0][0] * A[0][0]));
}

/// Computes sigma of H and A: xx, yy, zz, xy, yz, zx.
template <typename Number>
STRUT_HOST_DEVICE void stress(const Lame<Number> &material,
                              const Number (&H)[3][3],
                              const Number (&A)[3][3],
                              Number (&sigma)[6])
{
  Number G[3][3];
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      G[i][j] = multiply_add(H[i][2], A[2][j], multiply_add(H[i][1], A[1][j], H[i][0] * A[0][j]));
  const Number pressure = material.lambda * (G[0][0] + G[1][1] + G[2][2]);
  const Number twice    = material.mu + material.mu;
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      const int j  = (i + 1) % 3;
      sigma[i]     = multiply_add(twice, G[i][i], pressure);
      sigma[3 + i] = material.mu * (G[i][j] + G[j][i]);
    }
}

/// Computes `scale sigma A^T`.
template <typename Number>
STRUT_HOST_DEVICE void
flux(const Number scale, const Number (&sigma)[6], const Number (&A)[3][3], Number (&result)[3][3])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      // the row (xx, xy, xz) of sigma, or the next ones, which begin on the diagonal
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Number s[3] = {scale * sigma[i], scale * sigma[3 + i], scale * sigma[3 + k]};
      STRUT_UNROLL
      for (int d = 0; d < 3; ++d)
        result[i][d] = multiply_add(s[2], A[d][k], multiply_add(s[1], A[d][j], s[0] * A[d][i]));
    }
}

/// Operations at a quadrature point, from J and H to the flux.
constexpr double flops_of_point = 27. + 61. + 5. + 2. + 54.;

/// The product of any element, point by point.
template <typename Element>
struct ByPoints
{
  static constexpr int n_nodes       = Element::n_nodes;
  static constexpr int n_coordinates = n_nodes; ///< the nodes whose coordinates count
  /// Additions, multiplications and divisions; a fused multiply-add counts as two.
  static constexpr double flops = Element::n_quadrature_points * (54. * n_nodes + flops_of_point);

  /// Computes f = K u.
  ///
  /// @param X  coordinates of the first n_coordinates nodes
  /// @param reciprocal  function for 1 / x, to the accuracy of Number
  template <typename Number, typename Reciprocal = Division>
  STRUT_HOST_DEVICE static void apply(const Lame<Number> &material,
                                      const Number (&X)[3][n_coordinates],
                                      const Number (&u)[3][n_nodes],
                                      Number (&f)[3][n_nodes],
                                      const Reciprocal &reciprocal = Reciprocal())
  {
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < n_nodes; ++a)
        f[i][a] = constant<Number>(0.);
    for (int q = 0; q < Element::n_quadrature_points; ++q)
      {
        double x[3];
        const double weight = Element::quadrature_point(q, x);
        Number J[3][3], H[3][3];
        STRUT_UNROLL
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 3; ++d)
            J[i][d] = H[i][d] = constant<Number>(0.);
        for (int a = 0; a < n_nodes; ++a)
          {
            double g[3];
            Element::shape_gradient(a, x, g);
            STRUT_UNROLL
            for (int d = 0; d < 3; ++d)
              {
                const Number slope = constant<Number>(g[d]);
                for (int i = 0; i < 3; ++i)
                  {
                    J[i][d] = multiply_add(X[i][a], slope, J[i][d]);
                    H[i][d] = multiply_add(u[i][a], slope, H[i][d]);
                  }
              }
          }
        Number A[3][3], sigma[6], at_point[3][3];
        adjugate(J, A);
        stress(material, H, A, sigma);
        flux(constant<Number>(weight) * reciprocal(determinant(J, A)), sigma, A, at_point);
        for (int a = 0; a < n_nodes; ++a)
          {
            double g[3];
            Element::shape_gradient(a, x, g);
            STRUT_UNROLL
            for (int d = 0; d < 3; ++d)
              for (int i = 0; i < 3; ++i)
                f[i][a] = multiply_add(at_point[i][d], constant<Number>(g[d]), f[i][a]);
          }
      }
  }
};

/// The product of an element with the fewest operations. Each has the members of ByPoints.
template <typename Element>
struct Product : ByPoints<Element>
{};

/// Computes J of a tetrahedron with straight lines, from its vertices.
template <typename Number>
STRUT_HOST_DEVICE void jacobian_of_vertices(const Number (&X)[3][4], Number (&J)[3][3])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      J[i][d] = X[i][d + 1] - X[i][0];
}

/// The linear tetrahedron: one J, one stress. 122 operations, fused multiply-adds counted once.
template <>
struct Product<Tet4>
{
  static constexpr int n_nodes       = 4;
  static constexpr int n_coordinates = 4;
  static constexpr double flops      = 2 * 9. + flops_of_point + 9.;

  template <typename Number, typename Reciprocal = Division>
  STRUT_HOST_DEVICE static void apply(const Lame<Number> &material,
                                      const Number (&X)[3][4],
                                      const Number (&u)[3][4],
                                      Number (&f)[3][4],
                                      const Reciprocal &reciprocal = Reciprocal())
  {
    Number J[3][3], H[3][3], A[3][3], sigma[6], at_point[3][3];
    jacobian_of_vertices(X, J);
    jacobian_of_vertices(u, H);
    adjugate(J, A);
    stress(material, H, A, sigma);
    flux(constant<Number>(1. / 6.) * reciprocal(determinant(J, A)), sigma, A, at_point);
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        f[i][0] = constant<Number>(0.) - (at_point[i][0] + at_point[i][1] + at_point[i][2]);
        STRUT_UNROLL
        for (int d = 0; d < 3; ++d)
          f[i][d + 1] = at_point[i][d];
      }
  }
};

/// The quadratic tetrahedron with straight lines. Stresses are linear, and so are the gradients of
/// the shape functions. So both are computed at the four *vertices*. The matrix of `int L_a L_b`,
/// det(J) (1 + delta_ab) / 120, integrates their products. This is the matrix of the rule of four
/// points, for three quarters of its operations.
///
/// At vertex a, with the barycentric coordinates L: `du / dL_a = 3 u_a` and, at the other vertices
/// b, `du / dL_b = 4 u_ab - u_b`; the derivative along reference direction d is that of L_(d + 1)
/// less that of L_0.
template <>
struct Product<Tet10>
{
  static constexpr int n_nodes       = 10;
  static constexpr int n_coordinates = 4;
  static constexpr double flops      = 9. + 27. + 5. + 2. + 18. + 4 * (30. + 61. + 6. + 54. + 42.);

  /// The node between two vertices.
  STRUT_HOST_DEVICE static constexpr int between(const int a, const int b)
  {
    const int low = a < b ? a : b, high = a < b ? b : a;
    return high == 3 ? 7 + low : low == 0 && high == 2 ? 6 : 4 + low;
  }

  template <typename Number, typename Reciprocal = Division>
  STRUT_HOST_DEVICE static void apply(const Lame<Number> &material,
                                      const Number (&X)[3][4],
                                      const Number (&u)[3][10],
                                      Number (&f)[3][10],
                                      const Reciprocal &reciprocal = Reciprocal())
  {
    const Number three = constant<Number>(3.), four = constant<Number>(4.);
    Number J[3][3], A[3][3], sigma[4][6];
    jacobian_of_vertices(X, J);
    adjugate(J, A);
    STRUT_UNROLL
    for (int a = 0; a < 4; ++a)
      {
        Number H[3][3];
        STRUT_UNROLL
        for (int i = 0; i < 3; ++i)
          {
            Number slopes[4];
            STRUT_UNROLL
            for (int b = 0; b < 4; ++b)
              slopes[b] =
                a == b ? three * u[i][a] : multiply_add(four, u[i][between(a, b)], -u[i][b]);
            STRUT_UNROLL
            for (int d = 0; d < 3; ++d)
              H[i][d] = slopes[d + 1] - slopes[0];
          }
        stress(material, H, A, sigma[a]);
      }
    Number sum[6];
    STRUT_UNROLL
    for (int k = 0; k < 6; ++k)
      sum[k] = sigma[0][k] + sigma[1][k] + sigma[2][k] + sigma[3][k];
    const Number scale = constant<Number>(1. / 120.) * reciprocal(determinant(J, A));
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 10; ++a)
        f[i][a] = constant<Number>(0.);
    STRUT_UNROLL
    for (int a = 0; a < 4; ++a)
      {
        Number at_vertex[3][3];
        STRUT_UNROLL
        for (int k = 0; k < 6; ++k)
          sigma[a][k] += sum[k];
        flux(scale, sigma[a], A, at_vertex);
        STRUT_UNROLL
        for (int i = 0; i < 3; ++i)
          {
            const Number slopes[4] = {constant<Number>(0.) -
                                        (at_vertex[i][0] + at_vertex[i][1] + at_vertex[i][2]),
                                      at_vertex[i][0],
                                      at_vertex[i][1],
                                      at_vertex[i][2]};
            STRUT_UNROLL
            for (int b = 0; b < 4; ++b)
              if (a == b)
                f[i][a] = multiply_add(three, slopes[a], f[i][a]);
              else
                {
                  f[i][b] -= slopes[b];
                  f[i][between(a, b)] = multiply_add(four, slopes[b], f[i][between(a, b)]);
                }
          }
      }
  }
};

/// Quadratic hexahedra by sums over directions. The values at the 3x3x3 nodes become those at the
/// 3x3x3 Gauss points, one direction after the other. The derivatives are those of the polynomial
/// through the values at the points. The transposes return the fluxes to the nodes.
/// Hex27 takes some 5,600 operations, fused multiply-adds counted once, where 27 points take
/// 11,800.
///
/// All coordinates are on [-1, 1]^3. A lattice is `[27]`, with node or point (x, y, z) of {0, 1,
/// 2}^3 at x + 3 y + 9 z.
namespace lattice
{
STRUT_HOST_DEVICE constexpr double gauss() ///< sqrt(3 / 5)
{
  return 0.77459666924148337704;
}

/// The place of a node of Hex27.
STRUT_HOST_DEVICE constexpr int place(const int node)
{
  return Hex27::position(node, 0) + 3 * Hex27::position(node, 1) + 9 * Hex27::position(node, 2);
}

/// Calls line(first, step) for the nine lines in direction d.
template <typename Line>
STRUT_HOST_DEVICE void for_each_line(const int d, const Line &line)
{
  const int step = d == 0 ? 1 : d == 1 ? 3 : 9;
  STRUT_UNROLL
  for (int k = 0; k < 9; ++k)
    line(d == 0 ? 3 * k : d == 1 ? k % 3 + 9 * (k / 3) : k, step);
}

/// Changes values at nodes to values at points, in place.
template <typename Number>
STRUT_HOST_DEVICE void to_points(Number (&v)[27])
{
  const Number mean = constant<Number>(0.3), middle = constant<Number>(0.4),
               slope = constant<Number>(0.5 * gauss());
  STRUT_UNROLL
  for (int d = 0; d < 3; ++d)
    for_each_line(d, [&](const int first, const int step) {
      Number &low = v[first], &high = v[first + 2 * step];
      const Number even = multiply_add(middle, v[first + step], mean * (low + high));
      const Number odd  = high - low;
      low               = multiply_add(-slope, odd, even);
      high              = multiply_add(slope, odd, even);
    });
}

/// The transpose of to_points().
template <typename Number>
STRUT_HOST_DEVICE void to_nodes(Number (&v)[27])
{
  const Number mean = constant<Number>(0.3), middle = constant<Number>(0.4),
               slope = constant<Number>(0.5 * gauss());
  STRUT_UNROLL
  for (int d = 0; d < 3; ++d)
    for_each_line(d, [&](const int first, const int step) {
      Number &low = v[first], &high = v[first + 2 * step];
      const Number even = low + high, odd = slope * (high - low);
      v[first + step] = multiply_add(middle, even, v[first + step]);
      low             = multiply_add(mean, even, -odd);
      high            = multiply_add(mean, even, odd);
    });
}

/// Derivatives along direction d of the polynomial through values at points, times gauss().
template <typename Number>
STRUT_HOST_DEVICE void slopes(const int d, const Number (&v)[27], Number (&result)[27])
{
  const Number half = constant<Number>(0.5), two = constant<Number>(2.);
  for_each_line(d, [&](const int first, const int step) {
    const Number low = v[first], centre = v[first + step], high = v[first + 2 * step];
    const Number odd = half * (high - low), even = multiply_add(-two, centre, high + low);
    result[first]            = odd - even;
    result[first + step]     = odd;
    result[first + 2 * step] = odd + even;
  });
}

/// Adds the transpose of slopes() to the result.
template <typename Number>
STRUT_HOST_DEVICE void add_slopes(const int d, const Number (&v)[27], Number (&result)[27])
{
  const Number half = constant<Number>(0.5), two = constant<Number>(2.);
  for_each_line(d, [&](const int first, const int step) {
    const Number low = v[first], high = v[first + 2 * step];
    const Number even = high - low, odd = half * (low + v[first + step] + high);
    result[first] += even - odd;
    result[first + step] = multiply_add(-two, even, result[first + step]);
    result[first + 2 * step] += even + odd;
  });
}

/// Operations of apply(), without those of J.
constexpr double flops = 3 * 27. * (9. + 7.) + 27. * flops_of_point + 3 * 27. * (10. + 9.);

/// Computes the product from values on the lattice of nodes, in place of u.
///
/// @param jacobian  function of the number of a line of points along x, for an object whose
///                  `jacobian(p, J)` sets J to gauss() grad_ref x at point p
template <typename Number, typename Jacobian, typename Reciprocal>
STRUT_HOST_DEVICE void apply(const Lame<Number> &material,
                             const Jacobian &jacobian,
                             Number (&u)[3][27],
                             const Reciprocal &reciprocal)
{
  Number du[3][3][27];
  for (int i = 0; i < 3; ++i)
    {
      to_points(u[i]);
      for (int d = 0; d < 3; ++d)
        slopes(d, u[i], du[i][d]);
    }
  // Slopes are too large by gauss(), so the flux is by its square, and f by its cube.
  constexpr double weights[] = {5. / 9. / gauss(), 8. / 9. / gauss()};
  for (int line = 0; line < 9; ++line)
    {
      const auto on_line = jacobian(line);
      STRUT_UNROLL
      for (int p = 0; p < 3; ++p)
        {
          const int q = 3 * line + p;
          Number J[3][3], H[3][3], A[3][3], sigma[6], at_point[3][3];
          on_line.jacobian(p, J);
          STRUT_UNROLL
          for (int i = 0; i < 3; ++i)
            for (int d = 0; d < 3; ++d)
              H[i][d] = du[i][d][q];
          adjugate(J, A);
          stress(material, H, A, sigma);
          const double weight = weights[p == 1] * weights[line % 3 == 1] * weights[line / 3 == 1];
          flux(constant<Number>(weight) * reciprocal(determinant(J, A)), sigma, A, at_point);
          STRUT_UNROLL
          for (int i = 0; i < 3; ++i)
            for (int d = 0; d < 3; ++d)
              du[i][d][q] = at_point[i][d];
        }
    }
  for (int i = 0; i < 3; ++i)
    {
      for (int q = 0; q < 27; ++q)
        u[i][q] = constant<Number>(0.);
      for (int d = 0; d < 3; ++d)
        add_slopes(d, du[i][d], u[i]);
      to_nodes(u[i]);
    }
}

/// J on a line of points along x, from slopes `[component][direction][point]`.
template <typename Number>
struct CurvedLine
{
  const Number (&slopes)[3][3][27];
  int line;

  STRUT_HOST_DEVICE void jacobian(const int p, Number (&J)[3][3]) const
  {
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        J[i][d] = slopes[i][d][3 * line + p];
  }
};

/// Operations of J at the points, from the places of the nodes.
constexpr double flops_of_places = 3 * 27. * (9. + 7.);

/// Computes the product from places and values on the lattice of nodes.
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE void apply_to_places(const Lame<Number> &material,
                                       Number (&X)[3][27],
                                       Number (&u)[3][27],
                                       const Reciprocal &reciprocal)
{
  Number dX[3][3][27];
  for (int i = 0; i < 3; ++i)
    {
      to_points(X[i]);
      for (int d = 0; d < 3; ++d)
        slopes(d, X[i], dX[i][d]);
    }
  const auto jacobian = [&dX](const int line) { return CurvedLine<Number>{dX, line}; };
  apply(material, jacobian, u, reciprocal);
}

/// Numbers that give the places of a hexahedron with straight lines: the coefficients of sx, sy,
/// sz, sx sy, sy sz, sz sx and sx sy sz. The coordinates s are divided by gauss(), so that they are
/// -1, 0 or 1 at the points.
constexpr int n_coefficients = 7;

/// Computes one coordinate's coefficients from those of the vertices.
template <typename Number>
STRUT_HOST_DEVICE void coefficients(const Number (&X)[8], Number (&c)[n_coefficients])
{
  constexpr int directions[n_coefficients] = {1, 2, 4, 3, 6, 5, 7}; // a bit for each
  STRUT_UNROLL
  for (int k = 0; k < n_coefficients; ++k)
    {
      double scale = 0.125;
      for (int d = 0; d < 3; ++d)
        if ((directions[k] >> d & 1) != 0)
          scale *= gauss();
      Number sum = constant<Number>(0.);
      STRUT_UNROLL
      for (int v = 0; v < 8; ++v)
        {
          bool is_negative = false;
          for (int d = 0; d < 3; ++d)
            is_negative ^= (directions[k] >> d & 1) != 0 && Hex27::position(v, d) == 0;
          sum = is_negative ? sum - X[v] : sum + X[v];
        }
      c[k] = constant<Number>(scale) * sum;
    }
}

/// Returns the coefficients of a mesh of straight hexahedra, `[n_elements][3][n_coefficients]`,
/// relative to the first vertex of each. They are computed in double.
template <typename Number>
std::vector<Number> coefficients_of(const ElementMesh &mesh);

/// J on a line of points along x, of a hexahedron with straight lines, times gauss().
template <typename Number>
struct StraightLine
{
  Number along_x[3];      ///< derivative along x
  Number y[3], y_by_x[3]; ///< derivative along y, in the middle, and its change with sx
  Number z[3], z_by_x[3]; ///< derivative along z, likewise

  /// @param c  function of a coordinate and the number of a coefficient
  template <typename Coefficients>
  STRUT_HOST_DEVICE StraightLine(const Coefficients &c, const Number sy, const Number sz)
  {
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        y_by_x[i]  = multiply_add(sz, c(i, 6), c(i, 3));
        z_by_x[i]  = multiply_add(sy, c(i, 6), c(i, 5));
        along_x[i] = multiply_add(sy, y_by_x[i], multiply_add(sz, c(i, 5), c(i, 0)));
        y[i]       = multiply_add(sz, c(i, 4), c(i, 1));
        z[i]       = multiply_add(sy, c(i, 4), c(i, 2));
      }
  }

  /// Computes J at point p of the line.
  STRUT_HOST_DEVICE void jacobian(const int p, Number (&J)[3][3]) const
  {
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        J[i][0] = along_x[i];
        J[i][1] = p == 0 ? y[i] - y_by_x[i] : p == 1 ? y[i] : y[i] + y_by_x[i];
        J[i][2] = p == 0 ? z[i] - z_by_x[i] : p == 1 ? z[i] : z[i] + z_by_x[i];
      }
  }
};

/// Operations of J at the points, from the vertices.
constexpr double flops_of_vertices = 3 * 7. * 9. + 9 * 3. * 12. + 27. * 4.;

/// Computes the product from the vertices and from values on the lattice of nodes.
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE void apply_to_vertices(const Lame<Number> &material,
                                         const Number (&X)[3][8],
                                         Number (&u)[3][27],
                                         const Reciprocal &reciprocal)
{
  Number c[3][n_coefficients];
  for (int i = 0; i < 3; ++i)
    coefficients(X[i], c[i]);
  const auto jacobian = [&c](const int line) {
    return StraightLine<Number>([&c](const int i, const int k) { return c[i][k]; },
                                constant<Number>(line % 3 - 1.),
                                constant<Number>(line / 3 - 1.));
  };
  apply(material, jacobian, u, reciprocal);
}
} // namespace lattice

/// Quadratic hexahedra, with curved or straight lines.
template <typename Element, bool is_straight>
struct OnLattice
{
  static constexpr int n_nodes       = Element::n_nodes;
  static constexpr int n_coordinates = is_straight ? 8 : n_nodes;
  static constexpr double flops =
    lattice::flops + (is_straight ? lattice::flops_of_vertices : lattice::flops_of_places) +
    (n_nodes == 20 ? (is_straight ? 6 : 9) * 2. * 68. : 0.);

  template <typename Number, typename Reciprocal = Division>
  STRUT_HOST_DEVICE static void apply(const Lame<Number> &material,
                                      const Number (&X)[3][n_coordinates],
                                      const Number (&u)[3][n_nodes],
                                      Number (&f)[3][n_nodes],
                                      const Reciprocal &reciprocal = Reciprocal())
  {
    Number values[3][27];
    for (int i = 0; i < 3; ++i)
      to_lattice(u[i], values[i]);
    if constexpr (is_straight)
      lattice::apply_to_vertices(material, X, values, reciprocal);
    else
      {
        Number places[3][27];
        for (int i = 0; i < 3; ++i)
          to_lattice(X[i], places[i]);
        lattice::apply_to_places(material, places, values, reciprocal);
      }
    for (int i = 0; i < 3; ++i)
      {
        for (int a = 0; a < n_nodes; ++a)
          f[i][a] = values[i][lattice::place(a)];
        if constexpr (n_nodes == 20)
          for_each_of_centres([&](const int k, const int a, const double weight) {
            f[i][a] =
              multiply_add(constant<Number>(weight), values[i][lattice::place(20 + k)], f[i][a]);
          });
      }
  }

private:
  /// Calls add(k, a, weight) for the nodes a of Hex20 that determine the node 20 + k of Hex27. At
  /// the centre of a face it is half the sum of the midpoints less a quarter of that of the
  /// vertices. In the middle it is a quarter of the sum of all midpoints less that of all vertices.
  template <typename Add>
  STRUT_HOST_DEVICE static void for_each_of_centres(const Add &add)
  {
    for (int k = 0; k < 7; ++k)
      for (int a = 0; a < 20; ++a)
        if (k == 6 || Hex20::position(a, k / 2) == 2 * (k & 1))
          add(k, a, k == 6 ? (a < 8 ? -0.25 : 0.25) : (a < 8 ? -0.25 : 0.5));
  }

  template <typename Number>
  STRUT_HOST_DEVICE static void to_lattice(const Number (&nodes)[n_nodes], Number (&v)[27])
  {
    for (int a = 0; a < n_nodes; ++a)
      v[lattice::place(a)] = nodes[a];
    if constexpr (n_nodes == 20)
      {
        Number centres[7];
        for (int k = 0; k < 7; ++k)
          centres[k] = constant<Number>(0.);
        for_each_of_centres([&](const int k, const int a, const double weight) {
          centres[k] = multiply_add(constant<Number>(weight), nodes[a], centres[k]);
        });
        for (int k = 0; k < 7; ++k)
          v[lattice::place(20 + k)] = centres[k];
      }
  }
};

template <>
struct Product<Hex20> : OnLattice<Hex20, true>
{};

template <>
struct Product<Hex27> : OnLattice<Hex27, true>
{};

/// The product of an element whose lines may be curved.
template <typename Element>
struct Curved : ByPoints<Element>
{};

template <>
struct Curved<Hex20> : OnLattice<Hex20, false>
{};

template <>
struct Curved<Hex27> : OnLattice<Hex27, false>
{};

/// Whether the lines of elements are curved, or nodes are beside the middles, so that Product does
/// not hold, and Curved does.
bool is_curved(const ElementMesh &mesh);

/// Calls action(Element(), Product<Element>()) with the element of a type, or
/// action(Element(), Curved<Element>()).
template <typename Action>
decltype(auto) with_product(const ElementType &type, const bool is_curved, const Action &action)
{
  return with_element(type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    if constexpr (Product<Element>::n_coordinates < Element::n_nodes)
      if (is_curved)
        return action(element, Curved<Element>());
    return action(element, Product<Element>());
  });
}
} // namespace type_product
} // namespace strut
