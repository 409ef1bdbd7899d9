// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/application/require_room.h"
#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/application/tangent_numbers.h"
#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/two_pass_operator.h"

namespace strut
{
namespace
{
constexpr unsigned int n_gauss_points = 8;
constexpr std::size_t n_numbers       = n_tangent_components;

/// Bytes per cell on the backend while tangents are set: one field in the order of the cells, one
/// in that of the elements, and the cell numbers.
constexpr std::size_t room_of_fields = 2 * sizeof(double) + sizeof(std::uint32_t);

/// Collects the tangents of the owned cells, ordered by cells, from a function of the cell and the
/// point. Collective.
/// @param contents  StiffnessOperator::Implementation
template <typename Cell, typename Contents, typename Tangent>
std::vector<double>
tangents_by_function(const Contents &contents, const unsigned int n_points, const Tangent &tangent)
{
  std::vector<double> result;
  attempt_together(contents.communicator, [&]() {
    contents.require_unchanged();
    contents.require_tangents_taken();
    result.resize(n_points * n_numbers * contents.owned_cells.size());
    double *numbers = result.data();
    RefusedTangents refused;
    for (const auto &cell : contents.dof_handler->get_triangulation().active_cell_iterators())
      if (cell->is_locally_owned())
        {
          bool is_good = true;
          for (unsigned int q = 0; q < n_points; ++q, numbers += n_numbers)
            {
              const bool is_symmetric = numbers_of_tangent(tangent(cell, q), numbers);
              const bool is_finite = std::all_of(numbers, numbers + n_numbers, [](const double x) {
                return std::isfinite(x);
              });
              if (!(is_symmetric && is_finite) && std::exchange(is_good, false))
                refused.add(cell->active_cell_index(),
                            q,
                            n_points > 1,
                            is_finite ? "not symmetric" : "not finite");
            }
        }
    refused.require_none();
  });
  return result;
}
} // namespace

template <typename Number>
void StiffnessOperator<Number>::set_tangents(
  const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int q)> &tangent)
{
  contents().set_tangents_by_cells(
    n_gauss_points, tangents_by_function<Cell>(contents(), n_gauss_points, tangent).data());
}

template <typename Number>
void StiffnessOperator<Number>::set_tangents(
  const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &tangent)
{
  const auto numbers =
    tangents_by_function<Cell>(contents(), 1, [&](const Cell &cell, unsigned int) {
      return tangent(cell);
    });
  contents().set_tangents_by_cells(1, numbers.data());
}

template <typename Number>
void StiffnessOperator<Number>::set_tangents(const dealii::ArrayView<const double> &tangents)
{
  const std::vector<unsigned int> &cells = contents().owned_cells;
  const std::size_t n_cells = cells.size(), n_by_point = n_cells * n_gauss_points * n_numbers;
  const Communicator &communicator = contents().communicator;
  // The array of a rank without cells fits both layouts.
  const bool by_points        = communicator.any(n_cells > 0 && tangents.size() == n_by_point);
  const unsigned int n_points = by_points ? n_gauss_points : 1;
  attempt_together(communicator, [&]() {
    contents().require_unchanged();
    contents().require_tangents_taken();
    if (tangents.size() != n_cells * n_points * n_numbers)
      throw Error("There are " + std::to_string(tangents.size()) + " numbers of tangents, and " +
                  std::to_string(n_cells) +
                  " owned active cells.\n  Give 8 * 21 = 168 of each, or 21 of each" +
                  (by_points ? "; on all ranks the same." : "."));
    const HostThreads threads(contents().chosen);
    require_finite_by_cells(tangents.data(),
                            n_points,
                            cells,
                            host_threads(*contents().chosen.backend));
  });
  contents().set_tangents_by_cells(n_points, tangents.data());
}

template <typename Number>
void StiffnessOperator<Number>::set_device_tangents(const double *const tangents,
                                                    const unsigned int n_points)
{
  const std::vector<unsigned int> &cells = contents().owned_cells;
  const Communicator &communicator       = contents().communicator;
  const bool any_by_points               = communicator.any(n_points == n_gauss_points);
  attempt_together(communicator, [&]() {
    contents().require_unchanged();
    contents().require_tangents_taken();
    if (n_points != 1 && n_points != n_gauss_points)
      throw Error(
        "set_device_tangents() was asked to take tangents of " + std::to_string(n_points) +
        " points of each cell.\n  It takes those of 8, the Gauss points, or one for all, 1.");
    if (any_by_points && n_points == 1)
      throw Error(
        "set_device_tangents() was given tangents of 8 points of each cell on one rank, and of 1 on "
        "another.\n  Give the same on all ranks.");
    if (tangents == nullptr && !cells.empty())
      throw Error(
        "set_device_tangents() was given a null pointer, and there are " +
        std::to_string(cells.size()) +
        " owned active cells.\n  Give 8 * 21 = 168 numbers of each, or 21 of each, in the memory of the "
        "backend.");
    if (!cells.empty() && !contents().chosen.backend->memory().can_read(tangents))
      throw Error(
        "set_device_tangents() was given a pointer to memory of the host, or of another GPU than the operator's.\n"
        "  Give a device pointer; set_tangents() takes arrays of the host.");
  });
  contents().set_tangents(
    n_points,
    room_of_fields,
    [&](const unsigned int q) { return tangents + cells.size() * n_numbers * q; },
    [&]() { require_finite_by_numbers(*contents().chosen.backend, tangents, n_points, cells); });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_tangents_taken() const
{
  if (mesh_.type != ElementType())
    throw Error("StiffnessOperator takes tangents of FE_Q(1) alone, and its elements are of " +
                dof_handler->get_fe().get_name() + ", " + mesh_.type.name +
                ".\n  Set factors or Lame parameters of the cells, or distribute FE_Q<3>(1).");
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_tangents_by_cells(const unsigned int n_points,
                                                                      const double *const numbers)
{
  std::unique_ptr<UploadedTangents> uploaded; // made after the check for room
  set_tangents(n_points, room_of_fields + n_numbers * sizeof(double), [&](const unsigned int q) {
    if (uploaded == nullptr)
      uploaded = std::make_unique<UploadedTangents>(*chosen.backend,
                                                    numbers,
                                                    n_points,
                                                    owned_cells.size(),
                                                    host_threads(*chosen.backend),
                                                    exchange->transfers.uploads);
    return uploaded->of_point(q);
  });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_tangents(
  const unsigned int n_points,
  const std::size_t bytes_of_cell,
  const std::function<const double *(unsigned int q)> &of_point,
  const std::function<void()> &look)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  require_room_for_tangents(n_points, bytes_of_cell);
  attempt_together(communicator, look);
  const LawInForce before = in_force_;
  set_if_solvable(in_force_, LawInForce{Law::tangents, 0});
  Memory &memory = chosen.backend->memory();
  follow(before, [&]() {
    const std::size_t n = owned_cells.size();
    const Array<std::uint32_t> cells(memory, mesh_.element_to_cell);
    Array<double> of_cells(memory, n);
    matrix_->set(Stiffness::of_fields(
      {Law::tangents, n_points},
      [&](const unsigned int q, const unsigned int k, Array<double> &of_elements) {
        memory.copy(of_cells.data(), of_point(q) + n * k, n * sizeof(double));
        chosen.backend->template vector_operations<double>().gather(cells, of_cells, of_elements);
      }));
  });
}

/// Checks the room that is needed while tangents are set, whether or not some are in force.
template <typename Number>
void StiffnessOperator<Number>::Implementation::require_room_for_tangents(
  const unsigned int n_points, const std::size_t bytes_of_cell)
{
  const auto n_elements = static_cast<double>(mesh_.n_elements);
  double bytes          = n_elements * static_cast<double>(bytes_of_cell);
  const StiffnessLayout wanted{Law::tangents, n_points};
  if (matrix_->layout() != wanted)
    {
      const MeshSize size = size_of_mesh(wanted);
      // the strategy for general shapes, which supports tangents
      MeshSize of_operator             = size;
      of_operator.has_similar_elements = false;
      bytes += operator_memory(find_strategy<Number>(*chosen.backend, options_.strategy),
                               of_operator,
                               mesh_.n_elements,
                               mesh_.n_nodes) +
               n_elements * (n_points * n_tangent_components * sizeof(Number));
      if (solver_ != nullptr)
        bytes += std::max(0.,
                          plan_of_solver(size).total() -
                            plan_of_solver(size_of_mesh(matrix_->layout())).total());
    }
  require_room(communicator, chosen, static_cast<std::size_t>(bytes));
}

#define STRUT_INSTANTIATE(Number)                                                                 \
  template void StiffnessOperator<Number>::set_tangents(                                          \
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &, unsigned int)> &);            \
  template void StiffnessOperator<Number>::set_tangents(                                          \
    const std::function<dealii::SymmetricTensor<4, 3>(const Cell &)> &);                          \
  template void StiffnessOperator<Number>::set_tangents(const dealii::ArrayView<const double> &); \
  template void StiffnessOperator<Number>::set_device_tangents(const double *, unsigned int);     \
  template void StiffnessOperator<Number>::Implementation::require_tangents_taken() const;
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut
