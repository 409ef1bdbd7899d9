// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/coarse_matrix.h"
#include "source/element/components.h"
#include "source/element/element_rows.h"
#include "source/parallel/node_numbers.h"
#include "source/solvers/coarse/gathered_elements.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace strut
{
namespace
{
void add_element_matrix(const unsigned int n_components,
                        const GatheredElement &element,
                        const Material &material,
                        std::vector<double> &matrices)
{
  with_components(n_components, [&](const auto number) {
    constexpr int n = number;
    for (int a = 0; a < 8; ++a)
      {
        double rows[n][8 * n];
        hexahedron::element_rows(element.X, material, a, rows);
        for (int i = 0; i < n; ++i)
          matrices.insert(matrices.end(), rows[i], rows[i] + n * a + i + 1);
      }
  });
}

/// The sum `x_dof = sum of weight x_master`, with the numbers of the matrix.
using Masters = std::vector<std::pair<std::uint32_t, double>>;

/// Collects the masters of all dependent DoFs of all ranks. Collective.
std::unordered_map<std::uint32_t, Masters>
gather_dependent(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  std::unordered_map<std::uint32_t, Masters> result;
  const AffineRows &rows = mesh.dependent;
  if (!communicator.any(!rows.empty()))
    return result;
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  const auto number_of              = [&](const std::uint32_t dof) {
    return static_cast<double>(mesh.n_components) * numbers[dof / mesh.n_components] +
           dof % mesh.n_components;
  };
  std::vector<double> own; // For each owned row: DoF, n, n masters, n weights.
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      if (rows.dofs[k] >= mesh.n_owned_dofs())
        continue;
      own.push_back(number_of(rows.dofs[k]));
      own.push_back(rows.offsets[k + 1] - rows.offsets[k]);
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        own.push_back(number_of(rows.masters[j]));
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        own.push_back(rows.weights[j]);
    }
  const std::vector<double> all = communicator.gather(own);
  for (std::size_t at = 0; at < all.size();)
    {
      Masters &masters    = result[static_cast<std::uint32_t>(all[at])];
      const std::size_t n = static_cast<std::size_t>(all[at + 1]);
      for (std::size_t j = at + 2; j < at + 2 + n; ++j)
        masters.emplace_back(static_cast<std::uint32_t>(all[j]), all[j + n]);
      at += 2 + 2 * n;
    }
  return result;
}

struct Summand
{
  std::uint32_t row, number;
  double weight;

  bool operator<(const Summand &other) const
  {
    return std::tie(row, number, weight) < std::tie(other.row, other.number, other.weight);
  }
};
} // namespace

CoarseMatrix make_coarse_matrix(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const Material &material)
{
  CoarseMatrix matrix;
  const std::size_t n = mesh.n_components, n_dofs = 8 * n;
  matrix.n_packed   = packed_matrix_size(n);
  matrix.n_owned    = mesh.n_owned_dofs();
  const auto begins = begins_over_ranks(communicator, matrix.n_owned);
  matrix.first      = begins[communicator.rank()];
  matrix.n          = begins.back();

  // (1) The summands of each column, with their rows. A dependent DoF is replaced by its masters.
  const std::vector<GatheredElement> elements = gather_elements(backend, communicator, mesh);
  const auto dependent                        = gather_dependent(backend, communicator, mesh);
  matrix.constrained.assign(matrix.n, 0);
  for (const auto &[dof, masters] : dependent)
    matrix.constrained[dof] = 1;
  std::vector<std::vector<Summand>> of_column(matrix.n);
  std::uint32_t number = 0;
  std::vector<Masters> masters(n_dofs);
  for (const GatheredElement &element : elements)
    {
      add_element_matrix(mesh.n_components, element, material, matrix.element_matrices);
      for (std::size_t i = 0; i < n_dofs; ++i)
        {
          const auto dof =
            static_cast<std::uint32_t>(n * static_cast<std::size_t>(element.nodes[i / n]) + i % n);
          const bool is_constrained = element.is_constrained(i / n, i % n);
          if (is_constrained)
            matrix.constrained[dof] = 1;
          const auto rows = dependent.find(dof);
          masters[i]      = is_constrained            ? Masters()
                            : rows == dependent.end() ? Masters{{dof, 1.}}
                                                      : rows->second;
        }
      for (std::size_t j = 0; j < n_dofs; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++number)
          for (const auto &[one, of_one] : masters[i])
            for (const auto &[other, of_other] : masters[j])
              {
                // K_ij stands for K_ji as well. Both are added on the diagonal. Elsewhere K_ii
                // occurs in either order.
                const double times = (one == other ? 1. : 0.5) * (i == j ? 1. : 2.);
                of_column[std::max(one, other)].push_back(
                  {std::min(one, other), number, times * of_one * of_other});
              }
    }

  // (2) The summands of each entry.
  for (std::uint32_t column = 0; column < matrix.n; ++column)
    {
      std::sort(of_column[column].begin(), of_column[column].end());
      const auto begin_entry = [&](const std::uint32_t row) {
        matrix.rows.push_back(row);
        matrix.columns.push_back(column);
        matrix.summands_begin.push_back(static_cast<std::uint32_t>(matrix.summands.size()));
      };
      for (const auto &[row, summand, weight] : of_column[column])
        {
          if (matrix.rows.empty() || matrix.columns.back() != column || matrix.rows.back() != row)
            begin_entry(row);
          matrix.summands.push_back(summand);
          if (!dependent.empty())
            matrix.weights.push_back(weight);
        }
      if (matrix.rows.empty() || matrix.columns.back() != column || matrix.rows.back() != column)
        begin_entry(column);
    }
  matrix.summands_begin.push_back(static_cast<std::uint32_t>(matrix.summands.size()));
  return matrix;
}
} // namespace strut
