// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/mass_matrix.h"
#include "source/element/mass_points.h"

#include <string>
#include <type_traits>

namespace strut
{
int n_mass_points(const ElementType &type)
{
  return with_mass_points(type, [](const auto element) {
    return std::decay_t<decltype(element)>::n_quadrature_points;
  });
}

double MassMatrix::bytes_per_element(const ElementType &type)
{
  const double products = type == ElementType() ? 0. : 3. * type.n_nodes;
  return (n_mass_points(type) + products) * sizeof(double) + 2. * type.n_nodes * sizeof(LocalIndex);
}

std::string obstacle_to_lumped_mass(const ElementType &type)
{
  return with_mass_points(type, [&](const auto element) -> std::string {
    using Element = std::decay_t<decltype(element)>;
    for (int a = 0; a < Element::n_nodes; ++a)
      {
        double sum = 0., x[3];
        for (int q = 0; q < Element::n_quadrature_points; ++q)
          {
            const double weight = Element::quadrature_point(q, x);
            sum += weight * Element::shape_value(a, x);
          }
        if (!(sum > 0.))
          return "A lumped mass is the sum of a row of the mass matrix, which is negative at vertices "
                 "of elements of type " +
                 std::string(type.name) + ".\n  Take the consistent mass.";
      }
    return "";
  });
}
} // namespace strut
