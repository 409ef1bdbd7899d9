// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/element/elasticity_matrix.h>

#include <cmath>

namespace strut
{
namespace
{
/// The two directions of an entry of Voigt's notation.
constexpr int voigt[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/// The inverse of a symmetric matrix by its Cholesky factor; nothing unless it is positive
/// definite.
std::optional<ElasticityMatrix> inverse(const double (&S)[6][6])
{
  double L[6][6] = {};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
      {
        double sum = S[i][j];
        for (int k = 0; k < j; ++k)
          sum -= L[i][k] * L[j][k];
        if (i == j && !(sum > 1e-12 * S[i][i]))
          return std::nullopt;
        L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
      }
  ElasticityMatrix result;
  for (int column = 0; column < 6; ++column)
    {
      double y[6];
      for (int i = 0; i < 6; ++i)
        {
          y[i] = i == column ? 1. : 0.;
          for (int k = 0; k < i; ++k)
            y[i] -= L[i][k] * y[k];
          y[i] /= L[i][i];
        }
      for (int i = 5; i >= 0; --i)
        {
          for (int k = i + 1; k < 6; ++k)
            y[i] -= L[k][i] * y[k];
          y[i] /= L[i][i];
          result.C[i][column] = y[i];
        }
    }
  return result;
}
} // namespace

ElasticityMatrix elasticity_matrix(const Material &material)
{
  ElasticityMatrix result;
  for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < 3; ++j)
        result.C[i][j] = material.lambda();
      result.C[i][i] += 2. * material.mu();
      result.C[i + 3][i + 3] = material.mu();
    }
  return result;
}

std::optional<ElasticityMatrix> elasticity_matrix(const OrthotropicSolid &solid)
{
  const auto &[E, nu, G, axes] = solid;
  for (int i = 0; i < 3; ++i)
    if (!(E[i] > 0. && G[i] > 0.))
      return std::nullopt;
  const double S[6][6] = {{1. / E[0], -nu[0] / E[0], -nu[1] / E[0], 0., 0., 0.},
                          {-nu[0] / E[0], 1. / E[1], -nu[2] / E[1], 0., 0., 0.},
                          {-nu[1] / E[0], -nu[2] / E[1], 1. / E[2], 0., 0., 0.},
                          {0., 0., 0., 1. / G[2], 0., 0.},
                          {0., 0., 0., 0., 1. / G[1], 0.},
                          {0., 0., 0., 0., 0., 1. / G[0]}};
  const auto own       = inverse(S);
  if (!own)
    return std::nullopt;

  // strain in the axes of the solid = T strain in those of the mesh; C = T^T C_own T
  double T[6][6];
  for (int I = 0; I < 6; ++I)
    for (int K = 0; K < 6; ++K)
      {
        const auto &a      = axes[voigt[I][0]];
        const auto &b      = axes[voigt[I][1]];
        const auto [k, l]  = voigt[K];
        const double both  = a[k] * b[l] + (k == l ? 0. : a[l] * b[k]);
        const double shear = I < 3 ? 1. : 2.; // shear strains are sums of two
        T[I][K]            = shear * both / (K < 3 ? 1. : 2.);
      }
  ElasticityMatrix result;
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J <= I; ++J)
      {
        for (int K = 0; K < 6; ++K)
          for (int L = 0; L < 6; ++L)
            result.C[I][J] += T[K][I] * own->C[K][L] * T[L][J];
        result.C[J][I] = result.C[I][J];
      }
  return result;
}

double mean_shear_modulus(const ElasticityMatrix &solid)
{
  const auto &C = solid.C;
  return (C[0][0] + C[1][1] + C[2][2] - C[0][1] - C[1][2] - C[0][2] +
          3. * (C[3][3] + C[4][4] + C[5][5])) /
         15.;
}
} // namespace strut
