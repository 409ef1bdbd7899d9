// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/dependent_diagonal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "source/element/law_matrix.h"
#include "source/mesh/identical_elements.h"
#include "source/solvers/consistent_mass.h"

namespace strut
{
namespace
{
using Matrix = std::array<std::array<double, 24>, 24>;

Matrix mass_of(const ElementMesh &mesh, const std::size_t e)
{
  double X[3][8], of_vertices[8][8];
  shape_of(mesh, e, X);
  consistent_mass_matrix(X, of_vertices);
  Matrix M{};
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = i % 3; j < 24; j += 3)
      M[i][j] = of_vertices[i / 3][j / 3];
  return M;
}

/// @param matrix_of  `matrix_of(e)` gives the matrix of an element
template <typename MatrixOf>
std::vector<DependentDiagonal> diagonals_of(const ElementMesh &mesh, const MatrixOf &matrix_of)
{
  std::vector<DependentDiagonal> result;
  const AffineRows &given = mesh.dependent;
  if (given.empty())
    return result;
  constexpr LocalIndex none = -1;
  std::vector<LocalIndex> row_of(mesh.n_dofs(), none);
  for (std::size_t k = 0; k < given.dofs.size(); ++k)
    row_of[given.dofs[k]] = static_cast<LocalIndex>(k);

  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      // (1) The entries of C by columns: for each master the DoFs of the element that depend on it.
      std::array<LocalIndex, 24> dofs;
      bool any = false;
      for (std::size_t i = 0; i < 24; ++i)
        {
          dofs[i] =
            3 * mesh.connectivity[i / 3 * mesh.n_elements + e] + static_cast<LocalIndex>(i % 3);
          any = any || row_of[dofs[i]] != none;
        }
      if (!any)
        continue;
      std::map<LocalIndex, std::vector<std::pair<std::size_t, double>>> columns;
      std::array<double, 24> sums{};
      for (std::size_t i = 0; i < 24; ++i)
        if (const LocalIndex k = row_of[dofs[i]]; k != none)
          for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
            {
              columns[given.masters[j]].emplace_back(i, given.weights[j]);
              sums[i] += std::abs(given.weights[j]);
            }

      // (2) The sums, including the DoF itself if it belongs to the element.
      const Matrix K = matrix_of(e);
      for (auto &[master, column] : columns)
        {
          double bound = 0.;
          for (const auto &[i, weight] : column)
            bound += std::abs(weight) * sums[i] * K[i][i];
          for (std::size_t i = 0; i < 24; ++i)
            if (dofs[i] == master)
              {
                bound += K[i][i];
                column.emplace_back(i, 1.);
              }
          double exact = 0.;
          for (const auto &[i, c_i] : column)
            for (const auto &[j, c_j] : column)
              exact += c_i * K[i][j] * c_j;
          result.push_back({static_cast<LocalIndex>(e), master, exact - bound});
        }
    }
  return result;
}
} // namespace

std::vector<DependentDiagonal>
dependent_diagonals(const ElementMesh &mesh,
                    const StiffnessLayout &layout,
                    const Material &material,
                    const std::function<const double *(std::size_t element)> &numbers_of)
{
  return diagonals_of(mesh, [&](const std::size_t e) {
    double X[3][8], K[24 * 24];
    shape_of(mesh, e, X);
    element_matrix(layout.law, material, X, numbers_of(e), layout.n_points, K);
    Matrix matrix;
    for (std::size_t i = 0; i < 24; ++i)
      std::copy_n(K + 24 * i, 24, matrix[i].begin());
    return matrix;
  });
}

std::vector<DependentDiagonal> dependent_mass_diagonals(const ElementMesh &mesh)
{
  return diagonals_of(mesh, [&](const std::size_t e) { return mass_of(mesh, e); });
}
} // namespace strut
