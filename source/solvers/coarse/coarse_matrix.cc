// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/coarse_matrix.h"
#include "source/element/hexahedron.h"
#include "source/solvers/coarse/gathered_elements.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <utility>

namespace strut
{
namespace
{
void add_element_matrix(const GatheredElement &element,
                        const Material &material,
                        std::vector<double> &matrices)
{
  for (int a = 0; a < 8; ++a)
    {
      double rows[3][24];
      hexahedron::stiffness_rows(element.X, material, a, rows);
      for (int i = 0; i < 3; ++i)
        matrices.insert(matrices.end(), rows[i], rows[i] + 3 * a + i + 1);
    }
}
} // namespace

CoarseMatrix make_coarse_matrix(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const Material &material)
{
  CoarseMatrix matrix;
  matrix.n_owned = mesh.n_owned_dofs();
  const std::vector<double> counts =
    communicator.gather({static_cast<double>(mesh.n_owned_dofs())});
  for (int rank = 0; rank < communicator.size(); ++rank)
    {
      if (rank == communicator.rank())
        matrix.first = matrix.n;
      matrix.n += static_cast<std::size_t>(counts[rank]);
    }

  // (1) The summands of each column, with their rows.
  const std::vector<GatheredElement> elements = gather_elements(backend, communicator, mesh);
  matrix.constrained.assign(matrix.n, 0);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> of_column(matrix.n);
  std::uint32_t number = 0;
  for (const GatheredElement &element : elements)
    {
      add_element_matrix(element, material, matrix.element_matrices);
      for (std::size_t j = 0; j < 24; ++j)
        {
          if (element.constrained[j] > 0.)
            matrix.constrained[element.dof(j)] = 1;
          for (std::size_t i = 0; i <= j; ++i, ++number)
            if (element.constrained[i] == 0. && element.constrained[j] == 0.)
              {
                const std::uint32_t row    = std::min(element.dof(i), element.dof(j));
                const std::uint32_t column = std::max(element.dof(i), element.dof(j));
                of_column[column].emplace_back(row, number);
              }
        }
    }

  // (2) Those of each entry.
  for (std::uint32_t column = 0; column < matrix.n; ++column)
    {
      std::sort(of_column[column].begin(), of_column[column].end());
      const auto begin_entry = [&](const std::uint32_t row) {
        matrix.rows.push_back(row);
        matrix.columns.push_back(column);
        matrix.summands_begin.push_back(static_cast<std::uint32_t>(matrix.summands.size()));
      };
      for (const auto &[row, summand] : of_column[column])
        {
          if (matrix.rows.empty() || matrix.columns.back() != column || matrix.rows.back() != row)
            begin_entry(row);
          matrix.summands.push_back(summand);
        }
      if (matrix.rows.empty() || matrix.columns.back() != column || matrix.rows.back() != column)
        begin_entry(column);
    }
  matrix.summands_begin.push_back(static_cast<std::uint32_t>(matrix.summands.size()));
  return matrix;
}
} // namespace strut
