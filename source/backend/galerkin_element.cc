// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/galerkin_element.h"
#include "source/element/galerkin.h"

#include <algorithm>

namespace strut::cpu
{
namespace galerkin = hexahedron::galerkin;

void stiffness(const double (&X)[3][8], const Material &material, const double E, ElementMatrix &K)
{
  // (1) T_ab = int grad N_a (x) grad N_b, stored in block (a, b), a <= b.
  for (double(&row)[24] : K)
    std::fill(row, row + 24, 0.);
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = hexahedron::gradients(X, q, G);
      double vertex[24];
      for (int b = 0; b < 8; ++b)
        for (int j = 0; j < 3; ++j)
          vertex[3 * b + j] = G[j][b];
      for (int a = 0; a < 8; ++a)
        for (int i = 0; i < 3; ++i)
          for (int column = 3 * a; column < 24; ++column)
            K[3 * a + i][column] += dx * G[i][a] * vertex[column];
    }

  // (2) The blocks and their transposes.
  for (int a = 0; a < 8; ++a)
    for (int b = a; b < 8; ++b)
      {
        double block[3][3];
        for (int i = 0; i < 3; ++i)
          std::copy(K[3 * a + i] + 3 * b, K[3 * a + i] + 3 * b + 3, block[i]);
        galerkin::stiffness_block(material.lambda(), material.mu(), E, block);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            K[3 * a + i][3 * b + j] = K[3 * b + j][3 * a + i] = block[i][j];
      }
}

void hold(const unsigned int dofs, ElementMatrix &K)
{
  for (int i = 0; i < 24; ++i)
    if ((dofs >> i & 1u) != 0)
      for (int j = 0; j < 24; ++j)
        K[i][j] = K[j][i] = 0.;
}

void restrict_to_parent(const int octant, ElementMatrix &K)
{
  for (int d = 0; d < 3; ++d)
    for (int low = 0; low < 8; ++low)
      {
        if ((low >> d & 1) != 0)
          continue;
        const int high    = low | 1 << d;
        const bool at_low = (octant >> d & 1) == 0;
        for (int c = 0; c < 3; ++c)
          {
            const int i = 3 * low + c, j = 3 * high + c;
            for (int k = 0; k < 24; ++k)
              {
                const double first = K[i][k], second = K[j][k];
                K[i][k] = galerkin::restricted(first, second, at_low);
                K[j][k] = galerkin::restricted(second, first, !at_low);
              }
            for (double(&row)[24] : K)
              {
                const double first = row[i], second = row[j];
                row[i] = galerkin::restricted(first, second, at_low);
                row[j] = galerkin::restricted(second, first, !at_low);
              }
          }
      }
}

void round_to_float(ElementMatrix &K)
{
  double largest = 0.;
  for (int i = 0; i < 24; ++i)
    largest = std::max(largest, K[i][i]);
  if (!(largest > 0.))
    return;
  const double step = galerkin::grid_step(largest);

  // errors[a]: error of rounding in the row of blocks a
  double errors[8][3][3] = {};
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          {
            double &entry        = K[3 * a + i][3 * b + j];
            const double rounded = step * std::rint(entry / step);
            errors[a][i][j] += rounded - entry;
            errors[b][j][i] += rounded - K[3 * b + j][3 * a + i];
            entry = K[3 * b + j][3 * a + i] = rounded;
          }
  for (int a = 0; a < 8; ++a)
    {
      double block[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          block[i][j] = step * std::rint((K[3 * a + i][3 * a + j] - errors[a][i][j]) / step);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          K[3 * a + i][3 * a + j] = 0.5 * (block[i][j] + block[j][i]);
    }
}
} // namespace strut::cpu
