// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/shape_tables.h"
#include "source/base/parallel_loop.h"
#include "source/base/team.h"
#include "source/element/element_stiffness.h"
#include "source/element/mass_points.h"

namespace strut
{
namespace
{
/// Appends the gradients of the shape functions at a point.
template <typename Element>
void append_gradients(const double (&x)[3], std::vector<double> &table)
{
  for (int a = 0; a < Element::n_nodes; ++a)
    {
      double g[3];
      Element::shape_gradient(a, x, g);
      table.insert(table.end(), {g[0], g[1], g[2]});
    }
}
} // namespace

std::vector<double> shapes_at_mass_points(const ElementType &type)
{
  return with_mass_points(type, [](const auto element) {
    using Element             = std::decay_t<decltype(element)>;
    std::vector<double> table = {};
    for (int q = 0; q < Element::n_quadrature_points; ++q)
      {
        double x[3];
        Element::quadrature_point(q, x);
        for (int a = 0; a < Element::n_nodes; ++a)
          table.push_back(Element::shape_value(a, x));
      }
    return table;
  });
}

std::vector<double> volumes_of_mass_points(const ElementMesh &mesh)
{
  return with_mass_points(mesh.type, [&](const auto element) {
    using Element      = std::decay_t<decltype(element)>;
    constexpr auto n_q = static_cast<std::size_t>(Element::n_quadrature_points);
    static_assert(Element::n_nodes <= most_nodes_of_element);
    std::vector<double> volumes(n_q * mesh.n_elements);
    cpu::parallel_for(cpu::default_n_threads(), mesh.n_elements, [&](const std::size_t e) {
      double X[3][Element::n_nodes], inverse[3][3];
      nodes_of<Element>(mesh, e, X);
      for (std::size_t q = 0; q < n_q; ++q)
        volumes[q * mesh.n_elements + e] =
          element_stiffness::jacobian<Element>(X, static_cast<int>(q), inverse);
    });
    return volumes;
  });
}

std::vector<double> gradients_at_centre(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element    = std::decay_t<decltype(element)>;
    double centre[3] = {};
    for (int v = 0; v < Element::n_vertices; ++v)
      for (int d = 0; d < 3; ++d)
        centre[d] += 0.5 * Element::position(v, d) / Element::n_vertices;
    std::vector<double> table = {};
    append_gradients<Element>(centre, table);
    return table;
  });
}

std::vector<double> gradients_at_nodes(const ElementType &type)
{
  return with_element(type, [](const auto element) {
    using Element             = std::decay_t<decltype(element)>;
    std::vector<double> table = {};
    for (int a = 0; a < Element::n_nodes; ++a)
      {
        double x[3];
        for (int d = 0; d < 3; ++d)
          x[d] = 0.5 * Element::position(a, d);
        append_gradients<Element>(x, table);
      }
    return table;
  });
}
} // namespace strut
