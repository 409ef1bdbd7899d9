// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/dependent_dofs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace strut
{
namespace
{
/// By row and column; the order is that of the sums.
using Entries = std::map<std::uint32_t, std::map<std::uint32_t, double>>;

template <typename Number>
SparseRows<Number> on_backend(Memory &memory, const Entries &entries)
{
  std::vector<std::uint32_t> rows, offsets = {0}, columns;
  std::vector<Number> weights;
  for (const auto &[row, of_row] : entries)
    {
      rows.push_back(row);
      for (const auto &[column, weight] : of_row)
        {
          columns.push_back(column);
          weights.push_back(static_cast<Number>(weight));
        }
      offsets.push_back(static_cast<std::uint32_t>(columns.size()));
    }
  SparseRows<Number> result;
  result.rows    = Array<std::uint32_t>(memory, rows);
  result.offsets = Array<std::uint32_t>(memory, offsets);
  result.columns = Array<std::uint32_t>(memory, columns);
  result.weights = Array<Number>(memory, weights);
  return result;
}

/// The nodes of no element, `n_components` entries each.
std::vector<std::uint32_t> entries_apart(const ElementMesh &mesh, const std::uint32_t n_components)
{
  std::vector<bool> reached(mesh.n_nodes, false);
  for (const LocalIndex node : mesh.connectivity)
    reached[node] = true;
  std::vector<std::uint32_t> entries;
  for (std::uint32_t node = 0; node < mesh.n_nodes; ++node)
    for (std::uint32_t c = 0; c < n_components && !reached[node]; ++c)
      entries.push_back(n_components * node + c);
  return entries;
}
} // namespace

template <typename Number>
DependentDofs<Number>::DependentDofs(Backend &backend, const ElementMesh &mesh) : backend_(backend)
{
  const AffineRows &given = mesh.dependent;
  if (given.empty())
    return;
  Entries rows, transposed, bound, blocks;
  for (std::size_t k = 0; k < given.dofs.size(); ++k)
    {
      const std::uint32_t dof = given.dofs[k];
      rows[dof]; // without masters, too
      double sum = 0.;
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        sum += std::abs(given.weights[j]);
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        {
          const std::uint32_t master = given.masters[j];
          const double size          = std::abs(given.weights[j]) * sum;
          rows[dof][master] += given.weights[j];
          transposed[master][dof] += given.weights[j];
          bound[master][dof] += size;
          if (master / 3 != dof / 3)
            for (std::uint32_t b = 0; b < 6; ++b)
              {
                double &weight = blocks[6 * (master / 3) + b][6 * (dof / 3) + b];
                weight         = std::max(weight, size);
              }
        }
    }
  Memory &memory = backend.memory();
  dofs_          = Array<std::uint32_t>(memory, given.dofs);
  rows_          = on_backend<Number>(memory, rows);
  transposed_    = on_backend<Number>(memory, transposed);
  bound_         = on_backend<Number>(memory, bound);
  blocks_        = on_backend<Number>(memory, blocks);
  apart_         = Array<std::uint32_t>(memory, entries_apart(mesh, 3));
  apart_entries_ = Array<std::uint32_t>(memory, entries_apart(mesh, 6));
  set_values(given.values);
}

template <typename Number>
void DependentDofs<Number>::set_values(const std::vector<double> &values)
{
  values_ = Array<Number>(backend_.memory(), std::vector<Number>(values.begin(), values.end()));
}

template <typename Number>
void DependentDofs<Number>::distribute(Array<Number> &x) const
{
  if (!empty())
    backend_.vector_operations<Number>().combine(rows_, Number(0), x);
}

template <typename Number>
void DependentDofs<Number>::condense(Array<Number> &y) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_, Number(0), y);
  backend_.vector_operations<Number>().combine(transposed_, Number(1), y);
}

template <typename Number>
void DependentDofs<Number>::condense_bound(Array<Number> &d) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_, Number(0), d);
  backend_.vector_operations<Number>().combine(bound_, Number(1), d);
}

template <typename Number>
void DependentDofs<Number>::condense_blocks(Array<Number> &blocks) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_entries_, Number(0), blocks);
  backend_.vector_operations<Number>().combine(blocks_, Number(1), blocks);
}

template <typename Number>
void DependentDofs<Number>::set(const Number value, Array<Number> &x) const
{
  if (!empty())
    backend_.vector_operations<Number>().set(dofs_, value, x);
}

template <typename Number>
void DependentDofs<Number>::add_values(Array<Number> &x) const
{
  if (!empty())
    backend_.vector_operations<Number>().scatter_add(dofs_, values_, x);
}

template class DependentDofs<double>;
template class DependentDofs<float>;
} // namespace strut
