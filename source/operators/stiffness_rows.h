// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/node_to_element.h"

#include <strut/backend/strategy.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
/// Assembles the stiffness matrix of the elements of one rank in compressed rows, without
/// constraints, for elements of any type. It serves the reference operators, which multiply with
/// such a matrix or precondition with it. A row has about 81 entries with hex8. Indices are `int`,
/// as in Epetra and in cuSPARSE.
///
/// Rows and columns are the DoFs of the rank, ghosts included, `3 * node + component`. The three
/// rows of a node have the same columns, ascending: the DoFs of the nodes that share an element
/// with it.
///
/// It computes in double on threads of the CPU, a node at a time. Each node sums its three rows
/// over the elements around it (element_rows()). So no element matrices are stored, no two threads
/// write to one entry, and sums are the same bits in every run.
class StiffnessRows
{
public:
  StiffnessRows(const ElementMesh &mesh, const Material &material, int n_threads);

  std::size_t n_rows() const
  {
    return 3 * n_nodes_;
  }

  /// Begin of each row and the end, `[n_rows + 1]`.
  ///
  /// @param strategy  the operator, for the message
  /// @throws Error if the matrix has more entries than `int` can count, before any large allocation
  std::vector<int> row_begin(const std::string &strategy) const;

  /// Fills the columns of the entries.
  ///
  /// @param row_begin  result of row_begin()
  /// @param columns  `[n_entries]`
  void fill_columns(const int *row_begin, int *columns) const;

  /// Computes the values `sum_e E_e (K0_e)`; overwrites them.
  ///
  /// @param factors  E_e, `[n_elements]`
  /// @param row_begin,  columns  the pattern
  /// @param values  `[n_entries]`
  void
  sum_values(const double *factors, const int *row_begin, const int *columns, double *values) const;

  /// Bytes that this object keeps.
  double memory_bytes() const;
  static double memory_estimate(const OperatorSize &size);

  /// Estimated number of entries of the matrix: within a tenth for hex8, within a fifth for other
  /// elements, except for tiny meshes.
  static double n_entries_estimate(const OperatorSize &size);

private:
  /// The nodes that share an element with a node, itself included, ascending.
  void find_neighbours(std::size_t node, std::vector<LocalIndex> &neighbours) const;

  Material material_;
  ElementType type_;
  int n_threads_;
  std::size_t n_nodes_;
  NodeToElement node_to_element_;
  std::vector<double> coordinates_;      ///< `[n_nodes][3]`
  std::vector<LocalIndex> connectivity_; ///< `[n_elements][type_.n_nodes]`
};

/// Checks the number of entries.
///
/// @throws Error if there are more entries than `int` can count
void require_int_size(const std::string &strategy, std::size_t n_entries);
} // namespace strut
