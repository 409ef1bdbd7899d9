// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"
#include "source/mesh/faces.h"

#include <array>
#include <cmath>
#include <vector>

namespace strut
{
/// A quadrature point on a face of an element.
struct FacePoint
{
  std::array<double, 3> at{}, normal{}; ///< place, and the unit normal to the outside
  double area = 0.;                     ///< part of the area of the face
  std::vector<double> N;                ///< shape functions of all nodes of the element
};

/// Returns the quadrature points on face f of an element, in deal.II's order of faces.
/// Quadrilaterals have 2x2 Gauss points, or 3x3 if there are nodes between vertices. Linear
/// triangles have 3 points of degree 2, quadratic ones 6 of degree 4 (Strang and Fix 1973).
///
/// @param X  coordinates of the nodes
template <typename Element>
std::vector<FacePoint> face_quadrature(const double (&X)[3][Element::n_nodes], const unsigned int f)
{
  struct Place
  {
    double s, t, weight; ///< place on the unit square or triangle
  };
  constexpr bool is_linear = Element::n_nodes == Element::n_vertices;
  std::vector<Place> places;
  if constexpr (Element::n_vertices == 4)
    {
      const auto add_orbit = [&](const double a, const double weight) {
        places.push_back({a, a, weight / 2.});
        places.push_back({1. - 2. * a, a, weight / 2.});
        places.push_back({a, 1. - 2. * a, weight / 2.});
      };
      if (is_linear)
        add_orbit(1. / 6., 1. / 3.);
      else
        {
          add_orbit(0.44594849091596488632, 0.22338158967801146570);
          add_orbit(0.09157621350977074346, 0.10995174365532186764);
        }
    }
  else
    {
      const double offset               = is_linear ? std::sqrt(1. / 12.) : std::sqrt(0.15);
      const std::vector<double> points  = is_linear
                                            ? std::vector<double>{0.5 - offset, 0.5 + offset}
                                            : std::vector<double>{0.5 - offset, 0.5, 0.5 + offset};
      const std::vector<double> weights = is_linear
                                            ? std::vector<double>{0.5, 0.5}
                                            : std::vector<double>{5. / 18., 4. / 9., 5. / 18.};
      for (std::size_t j = 0; j < points.size(); ++j)
        for (std::size_t i = 0; i < points.size(); ++i)
          places.push_back({points[i], points[j], weights[i] * weights[j]});
    }

  std::vector<FacePoint> result;
  for (const Place &place : places)
    {
      // (1) The point in the reference element, from the vertices of the face, and its derivatives.
      double xi[3] = {}, ds[3] = {}, dt[3] = {};
      const auto add = [&](const int v, const double value, const double s, const double t) {
        for (int d = 0; d < 3; ++d)
          {
            const double at = 0.5 * Element::position(v, d);
            xi[d] += value * at;
            ds[d] += s * at;
            dt[d] += t * at;
          }
      };
      if constexpr (Element::n_vertices == 4)
        {
          const auto &v = around_triangle[f];
          add(static_cast<int>(v[0]), 1. - place.s - place.t, -1., -1.);
          add(static_cast<int>(v[1]), place.s, 1., 0.);
          add(static_cast<int>(v[2]), place.t, 0., 1.);
        }
      else
        for (unsigned int k = 0; k < 4; ++k)
          {
            const bool a = (k & 1) != 0, b = k >> 1 != 0;
            const double s = a ? place.s : 1. - place.s, t = b ? place.t : 1. - place.t;
            // The first direction times the second points along the axis, inside on lower faces.
            const unsigned int v = f % 2 == 1 ? face_vertex(f, a, b) : face_vertex(f, b, a);
            add(static_cast<int>(v), s * t, (a ? t : -t), (b ? s : -s));
          }

      // (2) The tangents of the face in space.
      FacePoint point;
      double along_s[3] = {}, along_t[3] = {};
      for (int node = 0; node < Element::n_nodes; ++node)
        {
          double g[3];
          Element::shape_gradient(node, xi, g);
          point.N.push_back(Element::shape_value(node, xi));
          const double of_s = g[0] * ds[0] + g[1] * ds[1] + g[2] * ds[2];
          const double of_t = g[0] * dt[0] + g[1] * dt[1] + g[2] * dt[2];
          for (std::size_t i = 0; i < 3; ++i)
            {
              point.at[i] += point.N.back() * X[i][node];
              along_s[i] += of_s * X[i][node];
              along_t[i] += of_t * X[i][node];
            }
        }
      double norm = 0.;
      for (std::size_t i = 0; i < 3; ++i)
        {
          const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
          point.normal[i] = along_s[j] * along_t[k] - along_s[k] * along_t[j];
          norm += point.normal[i] * point.normal[i];
        }
      norm = std::sqrt(norm);
      for (double &component : point.normal)
        component /= norm;
      point.area = place.weight * norm;
      result.push_back(std::move(point));
    }
  return result;
}
} // namespace strut
