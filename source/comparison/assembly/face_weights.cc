// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/face_weights.h"

#include <strut/base/exceptions.h>

#include <cmath>

namespace strut
{
namespace
{
/// Shape functions of a face and their derivatives at one point.
struct Shapes
{
  std::vector<double> N;
  std::array<std::vector<double>, 2> dN;
};

using Lines = std::vector<std::array<int, 2>>;

/// Shape functions of a triangle: barycentric coordinates L, or quadratic with midpoints.
Shapes triangle_shapes(const double s, const double t, const Lines &lines, const bool quadratic)
{
  const double L[3]     = {1. - s - t, s, t};
  const double dL[2][3] = {{-1., 1., 0.}, {-1., 0., 1.}};
  Shapes at;
  for (std::size_t v = 0; v < 3; ++v)
    {
      at.N.push_back(quadratic ? L[v] * (2. * L[v] - 1.) : L[v]);
      for (std::size_t d = 0; d < 2; ++d)
        at.dN[d].push_back((quadratic ? 4. * L[v] - 1. : 1.) * dL[d][v]);
    }
  for (const auto &[a, b] : lines)
    {
      at.N.push_back(4. * L[a] * L[b]);
      for (std::size_t d = 0; d < 2; ++d)
        at.dN[d].push_back(4. * (dL[d][a] * L[b] + L[a] * dL[d][b]));
    }
  return at;
}

/// Shape functions of a quadrilateral: bilinear, serendipity with eight nodes, or biquadratic with
/// nine. x is in [-1, 1]^2.
Shapes
quadrilateral_shapes(const std::array<double, 2> &x, const Lines &lines, const std::size_t n_nodes)
{
  const bool quadratic = n_nodes > 4;
  const auto place     = [](const int v, const int d) { return (v >> d & 1) != 0 ? 1. : -1.; };
  Shapes at;
  for (int v = 0; v < 4; ++v)
    {
      const double a = place(v, 0), b = place(v, 1);
      const double p = 1. + a * x[0], q = 1. + b * x[1];
      const double c = a * x[0] + b * x[1] - 1.;
      at.N.push_back(0.25 * p * q * (quadratic ? c : 1.));
      at.dN[0].push_back(0.25 * a * q * (quadratic ? c + p : 1.));
      at.dN[1].push_back(0.25 * b * p * (quadratic ? c + q : 1.));
    }
  for (const auto &[v, w] : lines)
    {
      const int along    = place(v, 0) != place(w, 0) ? 0 : 1; // direction of the line
      const int across   = 1 - along;
      const double side  = place(v, across);
      const double hump  = 1. - x[along] * x[along];
      const double slope = 0.5 * (1. + side * x[across]);
      at.N.push_back(hump * slope);
      at.dN[along].push_back(-2. * x[along] * slope);
      at.dN[across].push_back(0.5 * side * hump);
    }
  if (n_nodes == 9) // The bubble of the centre, which makes the other eight vanish there.
    {
      const double hump[2]   = {1. - x[0] * x[0], 1. - x[1] * x[1]};
      const double bubble    = hump[0] * hump[1];
      const double slopes[2] = {-2. * x[0] * hump[1], -2. * x[1] * hump[0]};
      for (std::size_t a = 0; a < 8; ++a)
        {
          const double share = a < 4 ? -0.25 : 0.5; // values at the centre
          at.N[a] -= share * bubble;
          for (std::size_t d = 0; d < 2; ++d)
            at.dN[d][a] -= share * slopes[d];
        }
      at.N.push_back(bubble);
      for (std::size_t d = 0; d < 2; ++d)
        at.dN[d].push_back(slopes[d]);
    }
  return at;
}

/// Adds the shape functions at a point, weighted by the area around it.
void add(const std::vector<FacePoint> &nodes,
         const Shapes &at,
         const double weight,
         std::vector<double> &sums)
{
  FacePoint tangent[2] = {};
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t i = 0; i < 3; ++i)
        tangent[d][i] += at.dN[d][a] * nodes[a][i];
  const double area = std::hypot(tangent[0][1] * tangent[1][2] - tangent[0][2] * tangent[1][1],
                                 tangent[0][2] * tangent[1][0] - tangent[0][0] * tangent[1][2],
                                 tangent[0][0] * tangent[1][1] - tangent[0][1] * tangent[1][0]);
  for (std::size_t a = 0; a < nodes.size(); ++a)
    sums[a] += weight * area * at.N[a];
}
} // namespace

std::vector<double> face_weights(const std::vector<FacePoint> &nodes, const Lines &lines)
{
  const std::size_t n = nodes.size();
  std::vector<double> weights(n, 0.);
  if (n == 3 || n == 6)
    {
      // seven points, exact to the fifth degree (Radon 1948)
      const double root = std::sqrt(15.);
      const auto three  = [&](const double a, const double weight) {
        for (const auto &[s, t] : {std::array<double, 2>{a, a}, {1. - 2. * a, a}, {a, 1. - 2. * a}})
          add(nodes, triangle_shapes(s, t, lines, n == 6), weight, weights);
      };
      add(nodes, triangle_shapes(1. / 3., 1. / 3., lines, n == 6), 9. / 80., weights);
      three((6. - root) / 21., (155. - root) / 2400.);
      three((6. + root) / 21., (155. + root) / 2400.);
      return weights;
    }
  if (n == 4 || n == 8 || n == 9)
    {
      const double points[3] = {-std::sqrt(0.6), 0., std::sqrt(0.6)};
      const double gauss[3]  = {5. / 9., 8. / 9., 5. / 9.};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          add(nodes,
              quadrilateral_shapes({points[i], points[j]}, lines, n),
              gauss[i] * gauss[j],
              weights);
      return weights;
    }
  throw Error("A face of an element has 3, 4, 6, 8 or 9 nodes, and not " + std::to_string(n) + ".");
}
} // namespace strut
