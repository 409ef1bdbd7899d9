// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/dependent_dofs.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace strut
{
namespace
{
struct Entry
{
  std::uint32_t row, column;
  double weight;
};

/// By row and column, which is the order of the sums; of entries at the same place the sum, or the largest.
template <typename Number>
SparseRows<Number>
on_backend(Memory &memory, std::vector<Entry> entries, const bool largest = false)
{
  std::sort(entries.begin(), entries.end(), [](const Entry &one, const Entry &other) {
    return std::tie(one.row, one.column) < std::tie(other.row, other.column);
  });
  std::vector<std::uint32_t> rows, offsets, columns;
  std::vector<double> weights;
  for (const Entry &entry : entries)
    {
      const bool new_row = rows.empty() || rows.back() != entry.row;
      if (new_row)
        {
          rows.push_back(entry.row);
          offsets.push_back(static_cast<std::uint32_t>(columns.size()));
        }
      if (new_row || columns.back() != entry.column)
        {
          columns.push_back(entry.column);
          weights.push_back(entry.weight);
        }
      else
        weights.back() =
          largest ? std::max(weights.back(), entry.weight) : weights.back() + entry.weight;
    }
  offsets.push_back(static_cast<std::uint32_t>(columns.size()));
  SparseRows<Number> result;
  result.rows    = Array<std::uint32_t>(memory, rows);
  result.offsets = Array<std::uint32_t>(memory, offsets);
  result.columns = Array<std::uint32_t>(memory, columns);
  result.weights = Array<Number>(memory, std::vector<Number>(weights.begin(), weights.end()));
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
  std::vector<Entry> transposed, bound, blocks;
  for (std::size_t k = 0; k < given.dofs.size(); ++k)
    {
      const std::uint32_t dof = given.dofs[k];
      double sum              = 0.;
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        sum += std::abs(given.weights[j]);
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        {
          const std::uint32_t master = given.masters[j];
          const double size          = std::abs(given.weights[j]) * sum;
          transposed.push_back({master, dof, given.weights[j]});
          bound.push_back({master, dof, size});
          if (master / 3 != dof / 3)
            blocks.push_back({master / 3, dof / 3, size});
        }
    }
  Memory &memory = backend.memory();
  dofs_          = Array<std::uint32_t>(memory, given.dofs);
  rows_.rows     = Array<std::uint32_t>(memory, given.dofs);
  rows_.offsets  = Array<std::uint32_t>(memory, given.offsets);
  rows_.columns  = Array<std::uint32_t>(memory, given.masters);
  rows_.weights =
    Array<Number>(memory, std::vector<Number>(given.weights.begin(), given.weights.end()));
  transposed_    = on_backend<Number>(memory, std::move(transposed));
  bound_         = on_backend<Number>(memory, std::move(bound));
  blocks_        = on_backend<Number>(memory, std::move(blocks), /*largest*/ true);
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
  backend_.vector_operations<Number>().combine(blocks_, Number(1), blocks, 6);
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
