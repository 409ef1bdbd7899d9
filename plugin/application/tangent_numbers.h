// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/symmetric_tensor.h>

#include <strut/backend/backend.h>
#include <strut/backend/stiffness.h>
#include <strut/transfers.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// Tangents of the owned cells of a rank, as applications give them. They are ordered by cells on
/// the host, `[n_cells][n_points][21]`, or by numbers in the memory of the backend,
/// `[n_points][21][n_cells]`. Cells are ordered by their active_cell_index().

/// Writes the 21 numbers of a tangent, each the mean of both halves. @return whether the halves
/// differ by rounding alone; true if they are not finite
bool numbers_of_tangent(const dealii::SymmetricTensor<4, 3> &tensor, double *numbers);

/// Collects refused tangents: the number of cells that have some, and the first of them.
class RefusedTangents
{
public:
  void add(unsigned int active_cell_index, unsigned int q, bool by_points, const char *fault);

  /// @throws Error if there are refused tangents
  void require_none() const;

private:
  std::size_t n_cells_ = 0;
  std::string first_;
};

/// @param numbers  numbers by cells, on the host @param cells  their active_cell_index()
/// @throws Error that names the first cell with a number that is not finite
void require_finite_by_cells(const double *numbers,
                             unsigned int n_points,
                             const std::vector<unsigned int> &cells,
                             int n_threads);

/// Checks numbers ordered by numbers on the backend. It reads them once, and copies them to the
/// host only if some are not finite.
void require_finite_by_numbers(Backend &backend,
                               const double *numbers,
                               unsigned int n_points,
                               const std::vector<unsigned int> &cells);

/// Uploads tangents that are given by cells. For one point at a time, all threads reorder them by
/// numbers, and one copy takes them to the backend. So each side needs memory for only 21 numbers
/// per cell, and the copy is long enough for page-locked buffers.
class UploadedTangents
{
public:
  UploadedTangents(Backend &backend,
                   const double *numbers,
                   unsigned int n_points,
                   std::size_t n_cells,
                   int n_threads,
                   Transfers::Direction &count);

  /// Returns the numbers of Gauss point q in the memory of the backend, `[21][n_cells]`, valid
  /// until the next call.
  const double *of_point(unsigned int q);

private:
  Backend &backend_;
  const double *const numbers_;
  const unsigned int n_points_;
  const std::size_t n_cells_;
  const int n_threads_;
  Transfers::Direction &count_;
  std::unique_ptr<double[]> here_; ///< uninitialized, so that the threads touch its pages first
  Array<double> there_;
  unsigned int point_; ///< point on the backend; n_points if there is none
};
} // namespace strut
