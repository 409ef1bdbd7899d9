// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/dependent_diagonal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "source/element/element_stiffness.h"
#include "source/element/elements.h"
#include "source/element/law_matrix.h"
#include "source/element/shape_tables.h"
#include "source/mesh/identical_elements.h"
#include "source/solvers/consistent_mass.h"

namespace strut
{
namespace
{
/// The matrix of an element on its degrees of freedom, or one number for each pair of nodes.
template <int n>
using Matrix = std::array<std::array<double, n>, n>;

template <typename Element>
Matrix<3 * Element::n_nodes> mass_of(const ElementMesh &mesh, const std::size_t e)
{
  Matrix<3 * Element::n_nodes> M{};
  const auto set = [&](const std::size_t a, const std::size_t b, const double value) {
    for (std::size_t d = 0; d < 3; ++d)
      M[3 * a + d][3 * b + d] += value;
  };
  if constexpr (std::is_same_v<Element, Hex8>)
    {
      double X[3][8], of_vertices[8][8];
      shape_of(mesh, e, X);
      consistent_mass_matrix(X, of_vertices);
      for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b)
          set(a, b, of_vertices[a][b]);
    }
  else
    {
      constexpr std::size_t n = Element::n_nodes;
      ElementMesh of_element;
      of_element.type       = mesh.type;
      of_element.n_elements = 1;
      of_element.n_nodes    = n;
      for (std::size_t i = 0; i < 3 * n; ++i)
        of_element.coordinates.push_back(
          mesh.coordinates[i / n * mesh.n_nodes + mesh.node(e, i % n)]);
      for (std::size_t a = 0; a < n; ++a)
        of_element.connectivity.push_back(static_cast<LocalIndex>(a));
      const std::vector<double> N       = shapes_at_mass_points(mesh.type),
                                volumes = volumes_of_mass_points(of_element);
      for (std::size_t q = 0; q < volumes.size(); ++q)
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b)
            set(a, b, volumes[q] * N[n * q + a] * N[n * q + b]);
    }
  return M;
}

/// @param numbers  of law.known(), as dependent_diagonals() gives them
template <typename Element>
Matrix<3 * Element::n_nodes> stiffness_of(const ElementMesh &mesh,
                                          const std::size_t e,
                                          const StiffnessLayout &layout,
                                          const Material &material,
                                          const double *const numbers)
{
  constexpr std::size_t n = 3 * Element::n_nodes;
  Matrix<n> K;
  double X[3][Element::n_nodes], entries[n * n];
  if constexpr (std::is_same_v<Element, Hex8>)
    {
      shape_of(mesh, e, X);
      element_matrix(layout.law, material, X, numbers, layout.n_points, entries);
    }
  else
    {
      nodes_of<Element>(mesh, e, X);
      const bool is_lame = layout.law == Law::lame;
      element_stiffness::matrix<Element>(X,
                                         is_lame ? numbers[0] : numbers[0] * material.lambda(),
                                         is_lame ? numbers[1] : numbers[0] * material.mu(),
                                         entries);
    }
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(entries + n * i, n, K[i].begin());
  return K;
}

/// @param matrix_of  `matrix_of(e)` gives the matrix of an element
template <typename Element, typename MatrixOf>
std::vector<DependentDiagonal> diagonals_of(const ElementMesh &mesh, const MatrixOf &matrix_of)
{
  constexpr std::size_t n = 3 * Element::n_nodes;
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
      std::array<LocalIndex, n> dofs;
      bool any = false;
      for (std::size_t i = 0; i < n; ++i)
        {
          dofs[i] =
            3 * mesh.connectivity[i / 3 * mesh.n_elements + e] + static_cast<LocalIndex>(i % 3);
          any = any || row_of[dofs[i]] != none;
        }
      if (!any)
        continue;
      std::map<LocalIndex, std::vector<std::pair<std::size_t, double>>> columns;
      std::array<double, n> sums{};
      for (std::size_t i = 0; i < n; ++i)
        if (const LocalIndex k = row_of[dofs[i]]; k != none)
          for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
            {
              columns[given.masters[j]].emplace_back(i, given.weights[j]);
              sums[i] += std::abs(given.weights[j]);
            }

      // (2) The sums, including the DoF itself if it belongs to the element.
      const Matrix<n> K = matrix_of(e);
      for (auto &[master, column] : columns)
        {
          double bound = 0.;
          for (const auto &[i, weight] : column)
            bound += std::abs(weight) * sums[i] * K[i][i];
          for (std::size_t i = 0; i < n; ++i)
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
  return with_element(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    return diagonals_of<Element>(mesh, [&](const std::size_t e) {
      return stiffness_of<Element>(mesh, e, layout, material, numbers_of(e));
    });
  });
}

std::vector<DependentDiagonal> dependent_mass_diagonals(const ElementMesh &mesh)
{
  return with_element(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    return diagonals_of<Element>(mesh,
                                 [&](const std::size_t e) { return mass_of<Element>(mesh, e); });
  });
}
} // namespace strut
