// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/on_the_fly_diagonal.cuh"
#include "cuda/operators/on_the_fly_elements.cuh"

#include <strut/element/material.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace strut::cuda
{
/// Returns K0 of a shape in the basis of sums and differences, `1/64 S K0 S^T` with the signs
/// S[k][v].
template <typename Number>
IdenticalElements<Number> matrix_of(const patch::Shape &shape, const Material &material)
{
  double rows[8][3][24];
  for (int a = 0; a < 8; ++a)
    hexahedron::stiffness_rows(shape.X, material, a, rows[a]);

  const auto transform = [](const auto &of_vertex) { // Coefficients of numbers at the vertices.
    std::array<double, 8> h;
    double values[8];
    for (int v = 0; v < 8; ++v)
      values[v] = of_vertex(v);
    hexahedron::on_the_fly::to_coefficients(values);
    std::copy(std::begin(values), std::end(values), h.begin());
    return h;
  };
  IdenticalElements<Number> matrix;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      {
        std::array<std::array<double, 8>, 8> half; // The rows are still those of vertices.
        for (int a = 0; a < 8; ++a)
          half[a] = transform([&](const int b) { return rows[a][i][3 * b + j]; });
        for (int l = 1; l < 8; ++l)
          {
            const auto column = transform([&](const int a) { return half[a][l]; });
            for (int k = 1; k < 8; ++k)
              if (7 * i + k <= 7 * j + l)
                matrix.upper[matrix.index(7 * i + k - 1, 7 * j + l - 1)] =
                  static_cast<Number>(column[k] / 64.);
          }
      }
  return matrix;
}
} // namespace strut::cuda
