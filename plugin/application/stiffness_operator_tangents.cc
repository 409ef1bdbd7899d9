// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "plugin/application/require_room.h"
#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/base/attempt.h"
#include "plugin/base/host_threads.h"
#include "source/base/parallel_loop.h"
#include "source/element/tangent_product.h"
#include "source/solvers/host_threads.h"

namespace strut::plugin
{
namespace
{
constexpr unsigned int n_gauss_points = 8;
constexpr std::size_t n_numbers       = n_tangent_components;

/// What both halves of a tangent may differ by, relative to its largest entry: they come from different sums.
constexpr double symmetry_of_tangents = 1e-8;

/// Entry IJ in Voigt's notation xx, yy, zz, yz, xz, xy, where deal.II has xx, yy, zz, xy, xz, yz.
double
voigt_entry(const dealii::SymmetricTensor<4, 3> &tensor, const std::size_t i, const std::size_t j)
{
  constexpr std::array<std::size_t, 6> in_dealii = {{0, 1, 2, 5, 4, 3}};
  return tensor.begin_raw()[6 * in_dealii[i] + in_dealii[j]];
}

/// The numbers of a tangent, the means of both halves. @return whether they differ by rounding alone; true where they
/// are not finite, which the caller looks at
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

/// Tangents that are refused: how many, and the first of them.
struct RefusedTangents
{
  std::size_t n_cells = 0;
  std::string first;

  void add(const unsigned int cell, const unsigned int q, const bool by_points, const char *fault)
  {
    if (n_cells++ > 0)
      return;
    std::ostringstream text;
    text << "that ";
    if (by_points)
      text << "of Gauss point " << q << " ";
    text << "of the cell with active_cell_index() " << cell << ", which is " << fault;
    first = text.str();
  }

  void require_none() const
  {
    if (n_cells > 0)
      throw Error(
        "Of the cells, " + std::to_string(n_cells) +
        " have tangents that a StiffnessOperator does not take, such as " + first +
        ".\n  Give finite ones with C_ijkl = C_klij: a return mapping with an associated flow rule has "
        "them; take deal.II's matrices for others.");
  }
};

/// The tangents of the owned cells, from a function of the cell and the point. Collective.
/// @param contents  StiffnessOperator::Implementation
template <typename Cell, typename Contents, typename Tangent>
std::vector<double>
tangents_by_function(const Contents &contents, const unsigned int n_points, const Tangent &tangent)
{
  std::vector<double> result;
  attempt_together(contents.communicator, [&]() {
    contents.require_unchanged();
    std::vector<Cell> cells;
    for (const auto &cell : contents.dof_handler->get_triangulation().active_cell_iterators())
      if (cell->is_locally_owned())
        cells.push_back(cell);
    RefusedTangents refused;
    result = contents.tangents_of_elements(
      n_points, false, [&](const std::size_t c, double *const numbers) {
        unsigned int n_bad = 0;
        for (unsigned int q = 0; q < n_points; ++q)
          {
            double *const of_point  = numbers + n_numbers * q;
            const bool is_symmetric = numbers_of_tangent(tangent(cells[c], q), of_point);
            const bool is_finite = std::all_of(of_point, of_point + n_numbers, [](const double x) {
              return std::isfinite(x);
            });
            if (!(is_symmetric && is_finite) && n_bad++ == 0)
              refused.add(contents.owned_cells[c],
                          q,
                          n_points > 1,
                          is_finite ? "not symmetric" : "not finite");
          }
      });
    refused.require_none();
  });
  return result;
}
} // namespace

template <typename Number>
void StiffnessOperator<Number>::set_tangents(
  const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int q)> &tangent)
{
  contents().set_tangents(n_gauss_points,
                          tangents_by_function<Cell>(contents(), n_gauss_points, tangent));
}

template <typename Number>
void StiffnessOperator<Number>::set_tangents(
  const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &tangent)
{
  contents().set_tangents(
    1, tangents_by_function<Cell>(contents(), 1, [&](const Cell &cell, unsigned int) {
      return tangent(cell);
    }));
}

template <typename Number>
void StiffnessOperator<Number>::set_tangents(const dealii::ArrayView<const double> &tangents)
{
  const std::vector<unsigned int> &cells = contents().owned_cells;
  const std::size_t n_cells = cells.size(), n_by_point = n_cells * n_gauss_points * n_numbers;
  const Communicator &communicator = contents().communicator;
  // A rank without cells cannot say which of the two it gives.
  const bool by_points        = communicator.any(n_cells > 0 && tangents.size() == n_by_point);
  const unsigned int n_points = by_points ? n_gauss_points : 1;
  std::vector<double> result;
  attempt_together(communicator, [&]() {
    contents().require_unchanged();
    if (tangents.size() != n_cells * n_points * n_numbers)
      throw Error("There are " + std::to_string(tangents.size()) + " numbers of tangents, and " +
                  std::to_string(n_cells) +
                  " owned active cells.\n  Give 8 * 21 = 168 of each, or 21 of each" +
                  (by_points ? "; on all ranks the same." : "."));
    std::vector<std::uint8_t> bad(n_cells, 0);
    result = contents().tangents_of_elements(
      n_points, true, [&](const std::size_t c, double *const numbers) {
        const double *const from = tangents.data() + n_points * n_numbers * c;
        std::copy(from, from + n_points * n_numbers, numbers);
        bad[c] = !std::all_of(from, from + n_points * n_numbers, [](const double x) {
          return std::isfinite(x);
        });
      });
    RefusedTangents refused;
    for (std::size_t c = 0; c < n_cells; ++c)
      if (bad[c] != 0)
        {
          const double *const from = tangents.data() + n_points * n_numbers * c;
          const double *const number =
            std::find_if_not(from, from + n_points * n_numbers, [](const double x) {
              return std::isfinite(x);
            });
          refused.add(cells[c],
                      static_cast<unsigned int>(static_cast<std::size_t>(number - from) /
                                                n_numbers),
                      by_points,
                      "not finite");
        }
    refused.require_none();
  });
  contents().set_tangents(n_points, result);
}

/// By blocks of elements, whose numbers are put in turns first: writing to 168 places far from one another for each
/// element would miss the caches.
template <typename Number>
std::vector<double> StiffnessOperator<Number>::Implementation::tangents_of_elements(
  const unsigned int n_points,
  const bool by_threads,
  const std::function<void(std::size_t, double *)> &numbers_of) const
{
  constexpr std::size_t block = 32;
  const std::size_t n = mesh_.n_elements, n_of_element = n_points * n_numbers;
  std::vector<double> result(n_of_element * n);
  cpu::parallel_for_long(by_threads ? host_threads(*chosen.backend) : 1,
                         (n + block - 1) / block,
                         [&](const std::size_t b) {
                           double of_element[n_gauss_points * n_numbers],
                             turned[n_gauss_points * n_numbers][block];
                           const std::size_t first = b * block, size = std::min(block, n - first);
                           for (std::size_t i = 0; i < size; ++i)
                             {
                               numbers_of(mesh_.element_to_cell[first + i], of_element);
                               for (std::size_t k = 0; k < n_of_element; ++k)
                                 turned[k][i] = of_element[k];
                             }
                           for (std::size_t k = 0; k < n_of_element; ++k)
                             std::copy(turned[k], turned[k] + size, &result[k * n + first]);
                         });
  return result;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_tangents(const unsigned int n_points,
                                                             const std::vector<double> &tangents)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  if (matrix_->n_tangent_points() != n_points)
    require_room_for_tangents(n_points);
  set_if_solvable(has_tangents_, true);
  const TangentFields fields = [&](const unsigned int q, const unsigned int k, Array<double> &to) {
    const double *const values = tangents.data() + mesh_.n_elements * (n_numbers * q + k);
    upload(*chosen.backend, values, mesh_.n_elements, to, exchange->transfers.uploads);
  };
  try
    {
      attempt_or_abort(communicator, [&]() {
        follow([&] {
          matrix_->set_tangents(n_points, fields);
          keep_tangents_of_dependent(n_points, tangents);
        });
      });
    }
  catch (...)
    {
      has_tangents_ = matrix_->has_tangents();
      throw;
    }
  n_without_shear_.reset();
}

/// Before the preconditioner and the diagonal follow.
template <typename Number>
void StiffnessOperator<Number>::Implementation::keep_tangents_of_dependent(
  const unsigned int n_points, const std::vector<double> &tangents)
{
  if (mesh_.dependent.empty())
    return;
  if (dependent_elements_.empty())
    {
      std::vector<std::uint8_t> is_dependent(mesh_.n_nodes, 0);
      for (const LocalIndex dof : mesh_.dependent.dofs)
        is_dependent[dof / 3] = 1;
      for (std::size_t e = 0; e < mesh_.n_elements; ++e)
        for (std::size_t v = 0; v < 8; ++v)
          if (is_dependent[mesh_.connectivity[v * mesh_.n_elements + e]] != 0)
            {
              dependent_elements_.push_back(static_cast<LocalIndex>(e));
              break;
            }
    }
  dependent_tangents_.clear();
  for (const LocalIndex e : dependent_elements_)
    for (std::size_t k = 0; k < n_points * n_numbers; ++k)
      dependent_tangents_.push_back(tangents[mesh_.n_elements * k + e]);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::add_tangents_to_masters(
  std::vector<double> &diagonal) const
{
  const unsigned int n_points = matrix_->n_tangent_points();
  const auto of_element       = [&](const std::size_t e) {
    const auto place = std::lower_bound(dependent_elements_.begin(), dependent_elements_.end(), e) -
                       dependent_elements_.begin();
    return &dependent_tangents_[n_points * n_numbers * static_cast<std::size_t>(place)];
  };
  for (const DependentDiagonal &addend : dependent_tangent_diagonals(mesh_, n_points, of_element))
    diagonal[addend.dof] += addend.value;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_room_for_tangents(
  const unsigned int n_points)
{
  const auto n_elements = static_cast<double>(mesh_.n_elements);
  double bytes          = find_strategy<Number>(*chosen.backend, options_.strategy)
                   .memory(mesh_.n_elements, mesh_.n_nodes, false) +
                 n_elements * (n_points * n_tangent_components * sizeof(Number) + sizeof(double));
  if (solver_ != nullptr)
    bytes += std::max(0.,
                      plan_of_solver(n_points).total() -
                        plan_of_solver(matrix_->n_tangent_points()).total());
  require_room(communicator, chosen, static_cast<std::size_t>(bytes));
}

#define STRUT_INSTANTIATE(Number)                                                                 \
  template void StiffnessOperator<Number>::set_tangents(                                          \
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int)> &);            \
  template void StiffnessOperator<Number>::set_tangents(                                          \
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &);                          \
  template void StiffnessOperator<Number>::set_tangents(const dealii::ArrayView<const double> &); \
  template std::vector<double> StiffnessOperator<Number>::Implementation::tangents_of_elements(   \
    unsigned int, bool, const std::function<void(std::size_t, double *)> &) const;                \
  template void StiffnessOperator<Number>::Implementation::set_tangents(                          \
    unsigned int, const std::vector<double> &);                                                   \
  template void StiffnessOperator<Number>::Implementation::add_tangents_to_masters(               \
    std::vector<double> &) const;
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut::plugin
