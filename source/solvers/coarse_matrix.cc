// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse_matrix.h"
#include "source/element/hexahedron.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <utility>

namespace strut
{
namespace
{
/// The data of each element that every rank sends to the others: global numbers of the nodes, coordinates,
/// constrained DoFs.
struct GatheredElement
{
  double nodes[8];
  double X[3][8];
  double constrained[24]; ///< 1 or 0

  std::uint32_t dof(const std::size_t i) const
  {
    return 3 * static_cast<std::uint32_t>(nodes[i / 3]) + static_cast<std::uint32_t>(i % 3);
  }
};
static_assert(sizeof(GatheredElement) == 56 * sizeof(double), "sent as numbers");

std::vector<GatheredElement>
gather_elements(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);

  std::vector<bool> constrained(mesh.n_dofs(), false);
  for (const LocalIndex dof : mesh.constrained_dofs)
    constrained[dof] = true;

  std::vector<double> own;
  own.reserve(56 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto node = [&](const std::size_t v) {
        return std::size_t(mesh.connectivity[v * mesh.n_elements + e]);
      };
      for (std::size_t v = 0; v < 8; ++v)
        own.push_back(numbers[node(v)]);
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t v = 0; v < 8; ++v)
          own.push_back(mesh.coordinates[d * mesh.n_nodes + node(v)]);
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t c = 0; c < 3; ++c)
          own.push_back(constrained[3 * node(v) + c] ? 1. : 0.);
    }
  const std::vector<double> all = communicator.gather(own);
  std::vector<GatheredElement> elements(all.size() / 56);
  std::copy(all.begin(), all.end(), reinterpret_cast<double *>(elements.data()));
  return elements;
}

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
