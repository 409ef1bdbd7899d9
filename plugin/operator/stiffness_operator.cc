// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/stiffness_operator.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>

#include "plugin/base/attempt.h"
#include "plugin/operator/checks.h"
#include "plugin/operator/prescribed_values.h"
#include "plugin/operator/stiffness_operator_implementation.h"

namespace strut::plugin
{
namespace
{
/// Throw Error unless all factors are positive and finite.
void check_factors(const std::vector<double> &factors, const std::vector<unsigned int> &cells)
{
  std::size_t n_bad = 0;
  std::ostringstream first;
  for (std::size_t c = 0; c < factors.size(); ++c)
    if (!(factors[c] > 0. && std::isfinite(factors[c])) && n_bad++ == 0)
      first << factors[c] << " of the cell with active_cell_index() " << cells[c];
  if (n_bad > 0)
    throw Error("Of the stiffness factors, " + std::to_string(n_bad) +
                " are not positive and finite, such as " + first.str() +
                ".\n  Give empty cells a small factor, 1e-9 say.");
}
} // namespace

template <typename Number>
template <typename ConstraintNumber>
StiffnessOperator<Number>::StiffnessOperator(
  const dealii::DoFHandler<3, 3> &dof_handler,
  const dealii::AffineConstraints<ConstraintNumber> &constraints,
  const Material &material,
  const StiffnessOptions &options)
{
  const Communicator communicator(compat::mpi_communicator(dof_handler.get_triangulation()));
  attempt_together(communicator, [&]() {
    check_options(options, sizeof(Number) == 8);
    check_material(material);
    check_dof_handler(dof_handler);
  });
  const PrescribedValues prescribed = read_prescribed(dof_handler, constraints, communicator);
  implementation_ = std::make_unique<Implementation>(dof_handler, prescribed, material, options);
}

template <typename Number>
StiffnessOperator<Number>::~StiffnessOperator() = default;

template <typename Number>
template <typename Factors>
void StiffnessOperator<Number>::set_cellwise(const Factors &factors)
{
  std::vector<double> of_cells;
  attempt_together(implementation_->communicator, [&]() {
    implementation_->require_unchanged();
    const std::size_t n = implementation_->dof_handler->get_triangulation().n_active_cells();
    if (factors.size() != n)
      throw Error("There are " + std::to_string(factors.size()) + " stiffness factors, and " +
                  std::to_string(n) +
                  " active cells.\n  Give one for each, by cell->active_cell_index().");
    for (const unsigned int cell : implementation_->owned_cells)
      of_cells.push_back(factors(cell));
    check_factors(of_cells, implementation_->owned_cells);
  });
  implementation_->set_factors(of_cells);
}

template <typename Number>
void StiffnessOperator<Number>::set_factors(const dealii::Vector<double> &factors)
{
  set_cellwise(factors);
}

template <typename Number>
void StiffnessOperator<Number>::set_factors(const dealii::Vector<float> &factors)
{
  set_cellwise(factors);
}

template <typename Number>
void StiffnessOperator<Number>::set_factors(const std::function<double(const Cell &)> &factor)
{
  std::vector<double> of_cells;
  attempt_together(implementation_->communicator, [&]() {
    implementation_->require_unchanged();
    const auto &triangulation = implementation_->dof_handler->get_triangulation();
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        of_cells.push_back(factor(cell));
    check_factors(of_cells, implementation_->owned_cells);
  });
  implementation_->set_factors(of_cells);
}

template <typename Number>
template <typename ConstraintNumber>
void StiffnessOperator<Number>::set_prescribed_values(
  const dealii::AffineConstraints<ConstraintNumber> &constraints)
{
  const Communicator &communicator = implementation_->communicator;
  attempt_together(communicator, [&]() { implementation_->require_unchanged(); });
  implementation_->set_prescribed(
    read_prescribed(*implementation_->dof_handler, constraints, communicator));
}

template <typename Number>
auto StiffnessOperator<Number>::m() const -> size_type
{
  return implementation_->n_dofs;
}

template <typename Number>
auto StiffnessOperator<Number>::n() const -> size_type
{
  return implementation_->n_dofs;
}

template <typename Number>
Number StiffnessOperator<Number>::el(const size_type i, const size_type j) const
{
  if (i != j)
    throw Error("StiffnessOperator::el(" + std::to_string(i) + ", " + std::to_string(j) +
                "): a matrix-free operator knows its diagonal only.\n  Assemble a SparseMatrix for "
                "what needs the other entries.");
  implementation_->require_diagonal("el()");
  if (!implementation_->owned.is_element(i))
    throw Error("StiffnessOperator::el(" + std::to_string(i) + ", " + std::to_string(i) +
                "): another rank owns this degree of freedom, or there is none.\n  Ask for owned "
                "ones.");
  return implementation_->diagonal[implementation_->owned.index_within_set(i)];
}

template <typename Number>
void StiffnessOperator<Number>::compute_diagonal()
{
  implementation_->compute_diagonal();
}

template <typename Number>
std::size_t StiffnessOperator<Number>::memory_consumption() const
{
  return sizeof(*this) + implementation_->host_memory() +
         implementation_->chosen.backend->memory().in_use();
}

template <typename Number>
const Transfers &StiffnessOperator<Number>::transfers() const
{
  return implementation_->exchange->transfers;
}

template <typename Number>
void StiffnessOperator<Number>::reset_transfers()
{
  implementation_->exchange->transfers = Transfers();
}

template <typename Number>
std::string StiffnessOperator<Number>::describe() const
{
  return implementation_->describe();
}

// Owned entries by pointer.

template <typename Number>
void StiffnessOperator<Number>::multiply(Number *const dst,
                                         const Number *const src,
                                         const bool add) const
{
  implementation_->multiply(dst, src, add);
}

template <typename Number>
void StiffnessOperator<Number>::copy_diagonal(Number *const values, const bool inverse) const
{
  implementation_->require_diagonal(inverse ? "get_matrix_diagonal_inverse()"
                                            : "get_matrix_diagonal()");
  const std::vector<Number> &diagonal = implementation_->diagonal;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    values[i] = inverse ? Number(1) / diagonal[i] : diagonal[i];
}

template <typename Number>
void StiffnessOperator<Number>::scale_by_inverse_diagonal(Number *const dst,
                                                          const Number *const src,
                                                          const Number omega) const
{
  implementation_->require_diagonal("precondition_Jacobi()");
  const std::vector<Number> &diagonal = implementation_->diagonal;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    dst[i] = omega * src[i] / diagonal[i];
}

template <typename Number>
void StiffnessOperator<Number>::subtract_lifting(Number *const rhs) const
{
  implementation_->lift(rhs);
}

template <typename Number>
SolveReport StiffnessOperator<Number>::solve_together(const std::function<Number *()> &x,
                                                      const std::function<const Number *()> &forces)
{
  Number *own_x            = nullptr;
  const Number *own_forces = nullptr;
  attempt_together(implementation_->communicator, [&]() {
    implementation_->require_unchanged();
    own_x      = x();
    own_forces = forces();
  });
  return implementation_->solve(own_x, own_forces);
}

#define STRUT_INSTANTIATE(Number)                                                                  \
  template class StiffnessOperator<Number>;                                                        \
  template StiffnessOperator<Number>::StiffnessOperator(const dealii::DoFHandler<3, 3> &,          \
                                                        const dealii::AffineConstraints<double> &, \
                                                        const Material &,                          \
                                                        const StiffnessOptions &);                 \
  template StiffnessOperator<Number>::StiffnessOperator(const dealii::DoFHandler<3, 3> &,          \
                                                        const dealii::AffineConstraints<float> &,  \
                                                        const Material &,                          \
                                                        const StiffnessOptions &);                 \
  template void StiffnessOperator<Number>::set_prescribed_values(                                  \
    const dealii::AffineConstraints<double> &);                                                    \
  template void StiffnessOperator<Number>::set_prescribed_values(                                  \
    const dealii::AffineConstraints<float> &);
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut::plugin
