// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/constraints/dependent_dofs.h"
#include "source/element/components.h"
#include "source/element/nodal_block.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Whether row k and those that follow belong to a hanging node, with the same weights of the same
/// nodes for each component.
bool is_of_node(const AffineRows &given, const std::uint32_t n_components, const std::size_t k)
{
  if (k + n_components > given.dofs.size() || given.dofs[k] % n_components != 0)
    return false;
  const std::uint32_t begin = given.offsets[k], n = given.offsets[k + 1] - begin;
  for (std::uint32_t c = 0; c < n_components; ++c)
    {
      const std::uint32_t own = given.offsets[k + c];
      if (given.dofs[k + c] != given.dofs[k] + c || given.offsets[k + c + 1] - own != n)
        return false;
      for (std::uint32_t j = 0; j < n; ++j)
        if (given.masters[own + j] !=
              n_components * (given.masters[begin + j] / n_components) + c ||
            given.weights[own + j] != given.weights[begin + j])
          return false;
    }
  return true;
}

/// Entries that `C^T B C` adds to entries of blocks B whose two DoFs are free, with C the rows that
/// have masters at their own node. They are sums of entries of which one DoF or both are dependent.
template <int n>
std::vector<RowEntry> entries_within_nodes(const AffineRows &given)
{
  using Block      = NodalBlock<double, n>;
  const auto place = [](const std::uint32_t node, const int i, const int j) {
    return Block::size * node + static_cast<std::uint32_t>(Block::index(i, j));
  };
  std::vector<RowEntry> entries;
  for (std::size_t k = 0; k < given.dofs.size();)
    {
      const std::uint32_t node = given.dofs[k] / n;
      double C[n][n]           = {};
      bool is_free[n];
      for (int i = 0; i < n; ++i)
        {
          C[i][i]    = 1.;
          is_free[i] = true;
        }
      for (; k < given.dofs.size() && given.dofs[k] / n == node; ++k)
        {
          const std::uint32_t i = given.dofs[k] % n;
          is_free[i]            = false;
          C[i][i]               = 0.;
          for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
            if (given.masters[j] / n == node)
              C[i][given.masters[j] % n] = given.weights[j];
        }
      for (int row = 0; row < n; ++row)
        for (int column = row; column < n; ++column)
          {
            if (!is_free[row] || !is_free[column])
              continue;
            double weights[Block::size] = {};
            for (int i = 0; i < n; ++i)
              for (int j = 0; j < n; ++j)
                weights[Block::index(i, j)] += C[i][row] * C[j][column];
            for (int i = 0; i < n; ++i)
              for (int j = i; j < n; ++j)
                if (const double weight = weights[Block::index(i, j)];
                    weight != 0. && !(is_free[i] && is_free[j]))
                  entries.push_back({place(node, row, column), place(node, i, j), weight});
          }
    }
  return entries;
}

/// Returns the nodes that belong to no element.
std::vector<std::uint32_t> nodes_apart(const ElementMesh &mesh)
{
  std::vector<bool> reached(mesh.n_nodes, false);
  for (const LocalIndex node : mesh.connectivity)
    reached[node] = true;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < mesh.n_nodes; ++node)
    if (!reached[node])
      nodes.push_back(node);
  return nodes;
}

/// Returns the entries of nodes in vectors with `n` numbers per node.
std::vector<std::uint32_t> entries_of(const std::vector<std::uint32_t> &nodes,
                                      const std::uint32_t n)
{
  std::vector<std::uint32_t> entries;
  for (const std::uint32_t node : nodes)
    for (std::uint32_t c = 0; c < n; ++c)
      entries.push_back(n * node + c);
  return entries;
}
} // namespace

template <typename Number>
DependentRows<Number>::DependentRows(Backend &backend,
                                     const WeightedRows &rows,
                                     const std::size_t n,
                                     const unsigned int n_components)
  : n_components_(n_components)
{
  if (rows.rows.empty())
    return;
  backend_       = &backend;
  Memory &memory = backend.memory();
  rows_.rows     = Array<std::uint32_t>(memory, rows.rows);
  rows_.offsets  = Array<std::uint32_t>(memory, rows.offsets);
  rows_.columns  = Array<std::uint32_t>(memory, rows.columns);
  rows_.weights =
    Array<Number>(memory, std::vector<Number>(rows.weights.begin(), rows.weights.end()));

  std::vector<RowEntry> transposed, bound;
  transposed.reserve(rows.columns.size());
  bound.reserve(rows.columns.size());
  for (std::size_t k = 0; k < rows.rows.size(); ++k)
    {
      const std::uint32_t begin = rows.offsets[k], end = rows.offsets[k + 1];
      double sum = 0.;
      for (std::uint32_t j = begin; j < end; ++j)
        sum += std::abs(rows.weights[j]);
      for (std::uint32_t j = begin; j < end; ++j)
        {
          transposed.push_back({rows.columns[j], rows.rows[k], rows.weights[j]});
          bound.push_back({rows.columns[j], rows.rows[k], std::abs(rows.weights[j]) * sum});
        }
    }
  transposed_ = gather_rows<Number>(memory, transposed, n, SamePlace::sum);
  bound_      = gather_rows<Number>(memory, bound, n, SamePlace::sum);
}

template <typename Number>
void DependentRows<Number>::combine(const SparseRows<Number> &matrix,
                                    const Number old,
                                    Array<Number> &x) const
{
  if (backend_ != nullptr)
    backend_->vector_operations<Number>().combine(matrix, old, x, n_components_);
}

template <typename Number>
void DependentRows<Number>::distribute(Array<Number> &x) const
{
  combine(rows_, Number(0), x);
}

template <typename Number>
void DependentRows<Number>::condense(Array<Number> &y) const
{
  combine(transposed_, Number(1), y);
}

template <typename Number>
void DependentRows<Number>::condense_bound(Array<Number> &d) const
{
  combine(bound_, Number(1), d);
}

template <typename Number>
DependentDofs<Number>::DependentDofs(Backend &backend, const ElementMesh &mesh)
  : backend_(backend), n_entries_(mesh.n_components * (mesh.n_components + 1) / 2)
{
  const std::uint32_t n   = mesh.n_components;
  const AffineRows &given = mesh.dependent;
  if (given.empty())
    return;
  WeightedRows of_dofs, of_nodes;
  std::vector<RowEntry> blocks;
  for (std::size_t k = 0; k < given.dofs.size();)
    {
      const bool is_node         = is_of_node(given, n, k);
      const std::uint32_t divide = is_node ? n : 1, dof = given.dofs[k];
      WeightedRows &rows = is_node ? of_nodes : of_dofs;
      double sum         = 0.;
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        sum += std::abs(given.weights[j]);
      for (std::uint32_t j = given.offsets[k]; j < given.offsets[k + 1]; ++j)
        {
          const std::uint32_t master = given.masters[j];
          rows.columns.push_back(master / divide);
          rows.weights.push_back(given.weights[j]);
          if (master / n != dof / n)
            blocks.push_back({master / n, dof / n, std::abs(given.weights[j]) * sum});
        }
      rows.rows.push_back(dof / divide);
      rows.offsets.push_back(static_cast<std::uint32_t>(rows.columns.size()));
      k += divide;
    }
  Memory &memory = backend.memory();
  dofs_          = Array<std::uint32_t>(memory, given.dofs);
  of_nodes_      = DependentRows<Number>(backend, of_nodes, mesh.n_nodes, n);
  of_dofs_       = DependentRows<Number>(backend, of_dofs, mesh.n_dofs(), 1);
  blocks_        = gather_rows<Number>(memory, blocks, mesh.n_nodes, SamePlace::largest);
  with_components(n, [&](const auto n_components) {
    within_nodes_ = gather_rows<Number>(memory,
                                        entries_within_nodes<n_components>(given),
                                        n_entries_ * mesh.n_nodes,
                                        SamePlace::sum);
  });
  const std::vector<std::uint32_t> apart = nodes_apart(mesh);
  apart_                                 = Array<std::uint32_t>(memory, entries_of(apart, n));
  apart_entries_ = Array<std::uint32_t>(memory, entries_of(apart, n_entries_));
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
  of_nodes_.distribute(x);
  of_dofs_.distribute(x);
}

template <typename Number>
void DependentDofs<Number>::condense(Array<Number> &y) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_, Number(0), y);
  of_nodes_.condense(y);
  of_dofs_.condense(y);
}

template <typename Number>
void DependentDofs<Number>::condense_bound(Array<Number> &d) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_, Number(0), d);
  of_nodes_.condense_bound(d);
  of_dofs_.condense_bound(d);
}

template <typename Number>
void DependentDofs<Number>::condense_blocks(Array<Number> &blocks) const
{
  if (empty())
    return;
  backend_.vector_operations<Number>().set(apart_entries_, Number(0), blocks);
  backend_.vector_operations<Number>().combine(within_nodes_, Number(1), blocks);
  backend_.vector_operations<Number>().combine(blocks_, Number(1), blocks, n_entries_);
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
