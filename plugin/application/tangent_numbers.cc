// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/tangent_numbers.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "plugin/application/vector_exchange.h"
#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
constexpr std::size_t numbers_of_point = n_tangent_components;

/// Allowed difference of the two halves of a tangent, relative to its largest entry; they result
/// from different sums.
constexpr double symmetry_of_tangents = 1e-8;

/// Entry IJ in Voigt's notation xx, yy, zz, yz, xz, xy; deal.II uses xx, yy, zz, xy, xz, yz.
double
voigt_entry(const dealii::SymmetricTensor<4, 3> &tensor, const std::size_t i, const std::size_t j)
{
  constexpr std::array<std::size_t, 6> in_dealii = {{0, 1, 2, 5, 4, 3}};
  return tensor.access_raw_entry(static_cast<unsigned int>(6 * in_dealii[i] + in_dealii[j]));
}

/// @param bad_points  one more than the first point of each cell that is not finite, 0 if all are
/// finite
void require_no_bad_point(const std::vector<std::uint8_t> &bad_points,
                          const unsigned int n_points,
                          const std::vector<unsigned int> &cells)
{
  RefusedTangents refused;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (bad_points[c] != 0)
      refused.add(cells[c], bad_points[c] - 1u, n_points > 1, "not finite");
  refused.require_none();
}
} // namespace

bool numbers_of_tangent(const dealii::SymmetricTensor<4, 3> &tensor, double *numbers)
{
  double largest = 0., difference = 0.;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j)
      {
        const double upper = voigt_entry(tensor, i, j), lower = voigt_entry(tensor, j, i);
        largest    = std::max({largest, std::abs(upper), std::abs(lower)});
        difference = std::max(difference, std::abs(upper - lower));
        *numbers++ = i == j ? upper : 0.5 * (upper + lower);
      }
  return !(difference > symmetry_of_tangents * largest);
}

void RefusedTangents::add(const unsigned int active_cell_index,
                          const unsigned int q,
                          const bool by_points,
                          const char *const fault)
{
  if (n_cells_++ > 0)
    return;
  std::ostringstream text;
  text << "that ";
  if (by_points)
    text << "of Gauss point " << q << " ";
  text << "of the cell with active_cell_index() " << active_cell_index << ", which is " << fault;
  first_ = text.str();
}

void RefusedTangents::require_none() const
{
  if (n_cells_ > 0)
    throw Error(
      "Of the cells, " + std::to_string(n_cells_) +
      " have tangents that a StiffnessOperator does not take, such as " + first_ +
      ".\n  Give finite ones with C_ijkl = C_klij: a return mapping with an associated flow rule has "
      "them; take deal.II's matrices for others.");
}

void require_finite_by_cells(const double *const numbers,
                             const unsigned int n_points,
                             const std::vector<unsigned int> &cells,
                             const int n_threads)
{
  const std::size_t of_cell = n_points * numbers_of_point;
  std::vector<std::uint8_t> bad_points(cells.size(), 0);
  cpu::parallel_for_long(n_threads, cells.size(), [&](const std::size_t c) {
    const double *const begin = numbers + of_cell * c, *const end = begin + of_cell;
    const double *const bad =
      std::find_if_not(begin, end, [](const double x) { return std::isfinite(x); });
    if (bad != end)
      bad_points[c] =
        static_cast<std::uint8_t>(1 + static_cast<std::size_t>(bad - begin) / numbers_of_point);
  });
  require_no_bad_point(bad_points, n_points, cells);
}

void require_finite_by_numbers(Backend &backend,
                               const double *const numbers,
                               const unsigned int n_points,
                               const std::vector<unsigned int> &cells)
{
  const std::size_t n = cells.size(), bytes = n * sizeof(double);
  Memory &memory     = backend.memory();
  const auto &fields = backend.vector_operations<double>();
  {
    Array<double> field(memory, n), sum(memory, n);
    for (std::size_t k = 0; k < n_points * numbers_of_point && n > 0; ++k)
      {
        memory.copy(field.data(), numbers + n * k, bytes);
        fields.axpy(n, 0., field, sum); // 0 times infinity is NaN
      }
    if (std::isfinite(fields.sum(n, sum)))
      return;
  }
  std::vector<double> field(n);
  std::vector<std::uint8_t> bad_points(n, 0);
  for (std::size_t k = 0; k < n_points * numbers_of_point; ++k)
    {
      memory.copy_to_host(field.data(), numbers + n * k, bytes);
      for (std::size_t c = 0; c < n; ++c)
        if (bad_points[c] == 0 && !std::isfinite(field[c]))
          bad_points[c] = static_cast<std::uint8_t>(1 + k / numbers_of_point);
    }
  require_no_bad_point(bad_points, n_points, cells);
}

UploadedTangents::UploadedTangents(Backend &backend,
                                   const double *const numbers,
                                   const unsigned int n_points,
                                   const std::size_t n_cells,
                                   const int n_threads,
                                   Transfers::Direction &count)
  : backend_(backend)
  , numbers_(numbers)
  , n_points_(n_points)
  , n_cells_(n_cells)
  , n_threads_(n_threads)
  , count_(count)
  , here_(new double[numbers_of_point * n_cells])
  , there_(backend.memory(), numbers_of_point * n_cells)
  , point_(n_points)
{}

/// Works on blocks of cells, and reorders their numbers first. Writing to 21 distant places for
/// each cell would miss the caches.
const double *UploadedTangents::of_point(const unsigned int q)
{
  if (q == point_)
    return there_.data();
  constexpr std::size_t block = 64;
  cpu::parallel_for_long(n_threads_, (n_cells_ + block - 1) / block, [&](const std::size_t b) {
    double turned[numbers_of_point][block];
    const std::size_t first = b * block, size = std::min(block, n_cells_ - first);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < numbers_of_point; ++k)
        turned[k][i] = numbers_[numbers_of_point * (n_points_ * (first + i) + q) + k];
    for (std::size_t k = 0; k < numbers_of_point; ++k)
      std::copy(turned[k], turned[k] + size, &here_[k * n_cells_ + first]);
  });
  upload(backend_, here_.get(), numbers_of_point * n_cells_, there_, count_);
  point_ = q;
  return there_.data();
}
} // namespace strut
