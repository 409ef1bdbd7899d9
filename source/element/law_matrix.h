// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/element_stiffness.h"
#include "source/element/hexahedron.h"
#include "source/element/tangent_product.h"
#include "source/element/types/hex8.h"

#include <strut/element/law.h>

#include <algorithm>

namespace strut
{
/// Computes the stiffness matrix of an element with Lame's parameters, on the host.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param K  result, `[24][24]`, row and column = 3 * vertex + component
inline void element_matrix(const Formulation formulation,
                           const double lambda,
                           const double mu,
                           const double (&X)[3][8],
                           double (&K)[24 * 24])
{
  using namespace hexahedron;
  switch (formulation)
    {
      case Formulation::full_integration:
        return element_stiffness::matrix<Hex8>(X, lambda, mu, K);
      case Formulation::mean_dilatation:
        element_stiffness::matrix<Hex8>(X, 0., mu, K);
        return add_mean_dilatation(lambda, X, K);
      case Formulation::incompatible_modes:
        element_stiffness::matrix<Hex8>(X, lambda, mu, K);
        return incompatible_modes::subtract(X, lambda, mu, K);
    }
}

/// Computes the stiffness matrix of an element from the numbers of a law, on the host.
///
/// @param law  Law::factor, Law::lame or Law::tangents
/// @param material  of Law::lame its formulation counts, of Law::tangents nothing
/// @param X  vertex coordinates, `[3][8]`
/// @param numbers  `[n_points][law.n_components]`, with n_points = 8 or 1
/// @param K  result, `[24][24]`, row and column = 3 * vertex + component
inline void element_matrix(const Law &law,
                           const Material &material,
                           const double (&X)[3][8],
                           const double *const numbers,
                           const unsigned int n_points,
                           double (&K)[24 * 24])
{
  if (law == Law::lame)
    return element_matrix(material.formulation, numbers[0], numbers[1], X, K);
  const auto tangent = [&](const int q, const int k) {
    return numbers[(n_points == 1 ? 0 : static_cast<int>(law.n_components) * q) + k];
  };
  const hexahedron::on_the_fly::TangentSolid<decltype(tangent)> solid{tangent};
  for (int a = 0; a < 8; ++a)
    {
      double rows[3][24];
      if (law == Law::tangents)
        hexahedron::stiffness_rows_by_points(X, solid, a, rows);
      else
        {
          hexahedron::stiffness_rows(X, material, a, rows);
          for (auto &row : rows)
            for (double &entry : row)
              entry *= numbers[0];
        }
      std::copy_n(&rows[0][0], 3 * 24, K + 3 * 24 * a);
    }
}
} // namespace strut
