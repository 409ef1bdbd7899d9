// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/symmetric_tensor.h>

#include <strut/backend/backend.h>
#include <strut/backend/tangent_elements.h>
#include <strut/plugin/transfers.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strut::plugin
{
/// The tangents of the owned cells of a rank, as applications give them: by cells on the host, `[n_cells][n_points][21]`, or by
/// numbers in the memory of the backend, `[n_points][21][n_cells]`. Cells are in the order of their active_cell_index().

/// The numbers of a tangent, the means of both halves, `[21]`. @return whether they differ by rounding alone; true where they
/// are not finite
bool numbers_of_tangent(const dealii::SymmetricTensor<4, 3> &tensor, double *numbers);

/// Tangents that are refused: how many cells have some, and the first of them.
class RefusedTangents
{
public:
  void add(unsigned int active_cell_index, unsigned int q, bool by_points, const char *fault);

  /// @throws Error if there are some
  void require_none() const;

private:
  std::size_t n_cells_ = 0;
  std::string first_;
};

/// @param numbers  by cells, on the host @param cells  their active_cell_index()
/// @throws Error that names the first cell with a number that is not finite
void require_finite_by_cells(const double *numbers,
                             unsigned int n_points,
                             const std::vector<unsigned int> &cells,
                             int n_threads);

/// The same by numbers, on the backend. It reads them once, without a copy to the host unless some are not finite.
void require_finite_by_numbers(Backend &backend,
                               const double *numbers,
                               unsigned int n_points,
                               const std::vector<unsigned int> &cells);

/// The numbers of Gauss point q in the memory of the backend, `[21][n_cells]`, until it is asked for another point.
using TangentsOfPoint = std::function<const double *(unsigned int q)>;

/// Those given by cells: of one point at a time all threads put them by numbers, and one copy takes them to the backend. So
/// neither side has room for more than 21 numbers of each cell, and the copy is long enough for page-locked buffers.
class UploadedTangents
{
public:
  UploadedTangents(Backend &backend,
                   const double *numbers,
                   unsigned int n_points,
                   std::size_t n_cells,
                   int n_threads,
                   Transfers::Direction &count);

  const double *of_point(unsigned int q);

private:
  Backend &backend_;
  const double *const numbers_;
  const unsigned int n_points_;
  const std::size_t n_cells_;
  const int n_threads_;
  Transfers::Direction &count_;
  std::unique_ptr<double[]> here_; ///< no zeros: threads make its pages
  Array<double> there_;
  unsigned int point_; ///< that is there; n_points: none
};
} // namespace strut::plugin
