// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
class Backend;

/// The stiffness matrix of a small mesh of all ranks, as weighted sums of entries of element
/// matrices. DoFs are numbered rank by rank, owned ones only. Constrained and dependent DoFs have a
/// row of the unit matrix. Contributions of elements to dependent DoFs go to their masters:
/// `C^T K C`.
struct CoarseMatrix
{
  /// Numbers of an element matrix: its upper triangle by columns, packed_matrix_size().
  std::size_t n_packed = 0;

  std::size_t n     = 0;                 ///< DoFs of all ranks
  std::size_t first = 0, n_owned = 0;    ///< DoFs of this rank
  std::vector<std::uint8_t> constrained; ///< `[n]`, 1 or 0; dependent DoFs are marked as well

  /// Element matrices for stiffness 1, `[n_elements][n_packed]`, rank by rank.
  std::vector<double> element_matrices;

  /// The entries of the upper triangle, column by column, rows ascending. They include the whole
  /// diagonal.
  std::vector<std::uint32_t> rows, columns;
  /// Begin of the summands of each entry, and the end of the last one. Constrained DoFs have no
  /// summands on the diagonal.
  std::vector<std::uint32_t> summands_begin;
  /// Numbers `n_packed element + k` of the element matrices, ascending for each entry.
  std::vector<std::uint32_t> summands;
  std::vector<double> weights; ///< weights of the summands; empty if all are 1

  /// Returns the value of an entry.
  /// @param get  returns the number at a place of the current element matrices
  template <typename Get>
  double sum(const std::size_t entry, const Get &get) const
  {
    double result = 0.;
    for (std::size_t s = summands_begin[entry]; s < summands_begin[entry + 1]; ++s)
      result += (weights.empty() ? 1. : weights[s]) * get(summands[s]);
    return result;
  }
};

/// Make the matrix. Collective.
/// @param mesh  this rank's part, with its supports
CoarseMatrix make_coarse_matrix(Backend &backend,
                                const Communicator &communicator,
                                const ElementMesh &mesh,
                                const Material &material);
} // namespace strut
