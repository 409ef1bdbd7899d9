// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/stiffness_operator.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <optional>
#include <sstream>
#include <typeinfo>
#include <utility>

#include "plugin/application/cell_values.h"
#include "plugin/application/checks.h"
#include "plugin/application/control_monitor.h"
#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/base/attempt.h"
#include "plugin/element_mesh/constraint_lines.h"

namespace strut
{
namespace
{
/// Throw Error unless all parameters are finite, mu >= 0, and the bulk modulus lambda + 2/3 mu > 0.
void check_lame(const std::vector<double> &lambda,
                const std::vector<double> &mu,
                const std::vector<unsigned int> &cells)
{
  std::size_t n_bad = 0;
  std::ostringstream first;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (!(mu[c] >= 0. && 3. * lambda[c] + 2. * mu[c] > 0. && std::isfinite(lambda[c] + mu[c])) &&
        n_bad++ == 0)
      first << "lambda = " << lambda[c] << ", mu = " << mu[c]
            << " of the cell with active_cell_index() " << cells[c];
  if (n_bad > 0)
    throw Error(
      "Of the cells, " + std::to_string(n_bad) +
      " have Lame parameters that a StiffnessOperator does not take, such as " + first.str() +
      ".\n  Give finite ones with mu not negative and 3 lambda + 2 mu positive: empty cells get small "
      "ones.");
}
} // namespace

template <typename Number>
StiffnessOperator<Number>::StiffnessOperator() = default;

template <typename Number>
StiffnessOperator<Number>::StiffnessOperator(StiffnessOperator &&other) noexcept
  : implementation_(std::move(other.implementation_))
{}

template <typename Number>
StiffnessOperator<Number> &StiffnessOperator<Number>::operator=(StiffnessOperator &&other) noexcept
{
  implementation_ = std::move(other.implementation_);
  return *this;
}

template <typename Number>
template <typename ConstraintNumber>
StiffnessOperator<Number>::StiffnessOperator(
  const dealii::DoFHandler<3, 3> &dof_handler,
  const dealii::AffineConstraints<ConstraintNumber> &constraints,
  const Material &material,
  const StiffnessOptions &options)
{
  reinit(dof_handler, constraints, {material, options});
}

template <typename Number>
template <typename ConstraintNumber>
void StiffnessOperator<Number>::reinit(
  const dealii::DoFHandler<3, 3> &dof_handler,
  const dealii::AffineConstraints<ConstraintNumber> &constraints,
  const AdditionalData &data)
{
  reinit_with(nullptr, dof_handler, constraints, data);
}

template <typename Number>
template <typename ConstraintNumber>
void StiffnessOperator<Number>::reinit_with(
  const dealii::Mapping<3, 3> *mapping,
  const dealii::DoFHandler<3, 3> &dof_handler,
  const dealii::AffineConstraints<ConstraintNumber> &constraints,
  const AdditionalData &data)
{
  clear(); // frees the old memory first
  const Communicator communicator(compat::mpi_communicator(dof_handler.get_triangulation()));
  const StiffnessOptions options = in_words_of_parameters(data.options);
  attempt_together(communicator, [&]() {
    check_options(options, sizeof(Number) == 8);
    check_material(data.material);
    check_density(data.density);
    check_dof_handler(dof_handler);
    check_mapping_degree(data.mapping_degree, dof_handler);
    if (mapping != nullptr)
      check_mapping(*mapping, dof_handler);
  });
  std::unique_ptr<dealii::Mapping<3, 3>> of_degree;
  if (mapping == nullptr && data.mapping_degree == 2)
    {
      if (dof_handler.get_fe().reference_cell().is_hyper_cube())
        of_degree = std::make_unique<dealii::MappingQ<3>>(2);
      else
        of_degree = std::make_unique<dealii::MappingFE<3>>(dealii::FE_SimplexP<3>(2));
      mapping = of_degree.get();
    }
  const ConstraintLines lines = read_constraints(dof_handler, constraints, communicator);
  implementation_             = std::make_shared<Implementation>(
    dof_handler, mapping, lines, data.material, options, data.density, data.mass);
}

template <typename Number>
void StiffnessOperator<Number>::clear()
{
  implementation_.reset();
}

template <typename Number>
auto StiffnessOperator<Number>::contents() const -> Implementation &
{
  if (implementation_ == nullptr)
    throw Error("The StiffnessOperator is empty.\n  Call reinit() before.");
  return *implementation_;
}

template <typename Number>
void StiffnessOperator<Number>::throw_other_dimension(const int dim)
{
  throw Error("StiffnessOperator works in three dimensions, and the DoFHandler has " +
              std::to_string(dim) + ".\n  Use deal.II's own operators there.");
}

template <typename Number>
StiffnessOperator<Number>::~StiffnessOperator() = default;

template <typename Number>
void StiffnessOperator<Number>::set_factors(const dealii::Vector<double> &factors)
{
  contents().set_factors(of_owned_cells(contents(), factors, factors_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::set_factors(const dealii::Vector<float> &factors)
{
  contents().set_factors(of_owned_cells(contents(), factors, factors_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::set_factors(const std::function<double(const Cell &)> &factor)
{
  contents().set_factors(of_each_owned_cell(contents(), factor, factors_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::set_lame(const dealii::Vector<double> &lambda,
                                         const dealii::Vector<double> &mu)
{
  attempt_together(contents().communicator, [&]() {
    contents().require_unchanged();
    const std::size_t n = contents().dof_handler->get_triangulation().n_active_cells();
    if (lambda.size() != n || mu.size() != n)
      throw Error("There are " + std::to_string(lambda.size()) + " lambda and " +
                  std::to_string(mu.size()) + " mu, and " + std::to_string(n) +
                  " active cells.\n  Give one each for each, by cell->active_cell_index().");
  });
  set_lame([&](const Cell &cell) {
    return std::make_pair(lambda(cell->active_cell_index()), mu(cell->active_cell_index()));
  });
}

template <typename Number>
void StiffnessOperator<Number>::set_lame(
  const std::function<std::pair<double, double>(const Cell &)> &lame)
{
  std::vector<double> of_lambda, of_mu;
  attempt_together(contents().communicator, [&]() {
    contents().require_unchanged();
    for (const auto &cell : contents().dof_handler->get_triangulation().active_cell_iterators())
      if (cell->is_locally_owned())
        {
          const auto [lambda, mu] = lame(cell);
          of_lambda.push_back(lambda);
          of_mu.push_back(mu);
        }
    check_lame(of_lambda, of_mu, contents().owned_cells);
  });
  contents().set_lame(of_lambda, of_mu);
}

template <typename Number>
void StiffnessOperator<Number>::set_law(const Law &law,
                                        const std::function<void(const Cell &, double *)> &numbers)
{
  check_law(law);
  if (law.known() == Law::table)
    throw Error(std::string("StiffnessOperator takes no ") + law.name +
                ".\n  Give them as tangents of the cells.");
  double of_cell[Law::most_components];
  const auto find = [&](const Cell &cell) {
    numbers(cell, of_cell);
    law.to_known(contents().material(), of_cell);
  };
  const auto set_tangents_of_cells = [&]() {
    std::vector<double> of_cells;
    of_cells.reserve(n_tangent_components * contents().owned_cells.size());
    attempt_together(contents().communicator, [&]() {
      contents().require_unchanged();
      for (const auto &cell : contents().dof_handler->get_triangulation().active_cell_iterators())
        if (cell->is_locally_owned())
          {
            find(cell);
            of_cells.insert(of_cells.end(), of_cell, of_cell + n_tangent_components);
          }
    });
    set_tangents(dealii::ArrayView<const double>(of_cells.data(), of_cells.size()));
  };
  try
    {
      if (law.known() == Law::factor)
        set_factors([&](const Cell &cell) {
          find(cell);
          return of_cell[0];
        });
      else if (law.known() == Law::lame)
        set_lame([&](const Cell &cell) {
          find(cell);
          return std::make_pair(of_cell[0], of_cell[1]);
        });
      else
        set_tangents_of_cells();
    }
  catch (const Error &error)
    {
      if (typeid(error) != typeid(Error)) // out of memory, say
        throw;
      throw Error(std::string("The law '") + law.name + "': " + error.what());
    }
}

template <typename Number>
template <typename ConstraintNumber>
void StiffnessOperator<Number>::set_prescribed_values(
  const dealii::AffineConstraints<ConstraintNumber> &constraints)
{
  const Communicator &communicator = contents().communicator;
  attempt_together(communicator, [&]() { contents().require_unchanged(); });
  contents().set_prescribed(read_constraints(*contents().dof_handler, constraints, communicator));
}

template <typename Number>
auto StiffnessOperator<Number>::m() const -> size_type
{
  return contents().n_dofs;
}

template <typename Number>
auto StiffnessOperator<Number>::n() const -> size_type
{
  return contents().n_dofs;
}

template <typename Number>
Number StiffnessOperator<Number>::el(const size_type i, const size_type j) const
{
  if (i != j)
    throw Error("StiffnessOperator::el(" + std::to_string(i) + ", " + std::to_string(j) +
                "): a matrix-free operator knows its diagonal only.\n  Assemble a SparseMatrix for "
                "what needs the other entries.");
  contents().require_diagonal("el()");
  if (!contents().owned.is_element(i))
    throw Error("StiffnessOperator::el(" + std::to_string(i) + ", " + std::to_string(i) +
                "): another rank owns this degree of freedom, or there is none.\n  Ask for owned "
                "ones.");
  return contents().diagonal[contents().owned.index_within_set(i)];
}

template <typename Number>
void StiffnessOperator<Number>::compute_diagonal()
{
  contents().compute_diagonal();
}

template <typename Number>
std::size_t StiffnessOperator<Number>::memory_consumption() const
{
  return sizeof(*this) +
         (implementation_ == nullptr
            ? 0
            : implementation_->host_memory() + implementation_->chosen.backend->memory().in_use());
}

template <typename Number>
const Transfers &StiffnessOperator<Number>::transfers() const
{
  return contents().exchange->transfers;
}

template <typename Number>
void StiffnessOperator<Number>::reset_transfers()
{
  contents().exchange->transfers = Transfers();
}

template <typename Number>
std::string StiffnessOperator<Number>::describe() const
{
  return implementation_ == nullptr ? "StiffnessOperator: empty\n" : implementation_->describe();
}

// Owned entries of vectors, on the host or on the backend.

template <typename Number>
void StiffnessOperator<Number>::multiply(const OwnedEntries<Number> &dst,
                                         const OwnedEntries<Number> &src,
                                         const bool add) const
{
  contents().multiply(dst, src, add);
}

template <typename Number>
void StiffnessOperator<Number>::copy_diagonal(const OwnedEntries<Number> &values,
                                              const bool inverse) const
{
  contents().require_diagonal(inverse ? "get_matrix_diagonal_inverse()" : "get_matrix_diagonal()");
  std::vector<Number> diagonal = contents().diagonal;
  for (std::size_t i = 0; i < diagonal.size() && inverse; ++i)
    diagonal[i] = Number(1) / diagonal[i];
  if (values.there != nullptr)
    values.there->copy_from_host(diagonal.data());
  else
    std::copy(diagonal.begin(), diagonal.end(), values.on_host);
}

template <typename Number>
void StiffnessOperator<Number>::scale_by_inverse_diagonal(const OwnedEntries<Number> &dst,
                                                          const OwnedEntries<Number> &src,
                                                          const Number omega) const
{
  if (dst.there != nullptr)
    return contents().scale_by_inverse_diagonal_there(*dst.there, *src.there, omega);
  contents().require_diagonal("precondition_Jacobi()");
  const std::vector<Number> &diagonal = contents().diagonal;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    dst.on_host[i] = omega * src.on_host[i] / diagonal[i];
}

template <typename Number>
void StiffnessOperator<Number>::subtract_lifting(const OwnedEntries<Number> &rhs) const
{
  contents().lift(rhs);
}

template <typename Number>
SolveReport
StiffnessOperator<Number>::solve_together(dealii::SolverControl *const control,
                                          const std::function<OwnedEntries<Number>()> &x,
                                          const std::function<OwnedEntries<Number>()> &forces,
                                          const std::function<void()> &finish)
{
  std::optional<ControlMonitor> monitor;
  OwnedEntries<Number> own_x, own_forces;
  attempt_together(contents().communicator, [&]() {
    contents().require_unchanged();
    monitor.emplace(control);
    own_x      = x();
    own_forces = forces();
    contents().require_finite(own_forces, "forces");
    contents().require_finite_guess(own_x);
  });
  const SolveReport report = contents().solve(own_x, own_forces, *monitor);
  finish();
  monitor->require_convergence(report.converged);
  return report;
}

#define STRUT_INSTANTIATE(Number, ConstraintNumber)               \
  template StiffnessOperator<Number>::StiffnessOperator(          \
    const dealii::DoFHandler<3, 3> &,                             \
    const dealii::AffineConstraints<ConstraintNumber> &,          \
    const Material &,                                             \
    const StiffnessOptions &);                                    \
  template void StiffnessOperator<Number>::reinit(                \
    const dealii::DoFHandler<3, 3> &,                             \
    const dealii::AffineConstraints<ConstraintNumber> &,          \
    const AdditionalData &);                                      \
  template void StiffnessOperator<Number>::reinit_with(           \
    const dealii::Mapping<3, 3> *,                                \
    const dealii::DoFHandler<3, 3> &,                             \
    const dealii::AffineConstraints<ConstraintNumber> &,          \
    const AdditionalData &);                                      \
  template void StiffnessOperator<Number>::set_prescribed_values( \
    const dealii::AffineConstraints<ConstraintNumber> &);
template class StiffnessOperator<double>;
template class StiffnessOperator<float>;
STRUT_INSTANTIATE(double, double)
STRUT_INSTANTIATE(double, float)
STRUT_INSTANTIATE(float, double)
STRUT_INSTANTIATE(float, float)
#undef STRUT_INSTANTIATE
} // namespace strut
