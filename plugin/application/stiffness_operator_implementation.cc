// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/stiffness_operator_implementation.h"

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <sstream>

#include "plugin/application/own_advice.h"

namespace strut::plugin
{
namespace
{
void require_one_of(const std::string &option,
                    const std::string &value,
                    const std::vector<std::string> &allowed)
{
  std::string names;
  for (const std::string &name : allowed)
    {
      if (name == value)
        return;
      names += (names.empty() ? "" : ", ") + name;
    }
  throw Error("StiffnessOptions::" + option + " is '" + value + "'.\n  It may be: " + names + ".");
}

template <typename Number>
StiffnessOptions checked(const StiffnessOptions &options)
{
  const bool is_double = sizeof(Number) == 8;
  require_one_of("backend", options.backend, {"auto", "cuda", "cpu"});
  require_one_of("preconditioner", options.preconditioner, {"auto", "jacobi", "multigrid"});
  if (is_double)
    require_one_of("precision", options.precision, {"auto", "double", "mixed"});
  else
    require_one_of("precision", options.precision, {"auto", "float"});
  if (!(options.tolerance > 0.))
    throw Error("StiffnessOptions::tolerance is " + std::to_string(options.tolerance) +
                ".\n  It must be positive.");
  if (options.precision == "mixed" && options.preconditioner == "jacobi")
    throw Error("StiffnessOptions ask for mixed precision, which means multigrid cycles in float, "
                "and for Jacobi.\n  Set precision or preconditioner to 'auto'.");
  return options;
}

ChosenBackend backend_for(const StiffnessOptions &options, const Communicator &communicator)
{
  ChosenBackend chosen = choose_backend(options.backend, options.n_threads, communicator);
  if (chosen.backend == nullptr)
    throw Error(
      "StiffnessOptions::backend is 'cuda', but there is no GPU to use: " + chosen.reason +
      ".\n  Set it to 'cpu' (or 'auto'), or run where a GPU and, in the build of strut, "
      "the CUDA toolkit are.");
  return chosen;
}
Material checked(const Material &material)
{
  if (!(material.youngs_modulus > 0.) ||
      !(material.poisson_ratio > -1. && material.poisson_ratio < 0.5))
    {
      std::ostringstream text;
      text << "The material of the StiffnessOperator has E = " << material.youngs_modulus
           << ", nu = " << material.poisson_ratio
           << ".\n  E must be positive, and nu between -1 and 0.5.";
      throw Error(text.str());
    }
  return material;
}
} // namespace

template <typename Number>
StiffnessOperator<Number>::Implementation::Implementation(
  const dealii::DoFHandler<3, 3> &the_dof_handler,
  const PrescribedDofs &prescribed,
  const Material &material,
  const StiffnessOptions &options)
  : dof_handler(the_dof_handler)
  , mpi(compat::mpi_communicator(dof_handler.get_triangulation()))
  , communicator(mpi)
  , owned(dof_handler.locally_owned_dofs())
  , n_dofs(dof_handler.n_dofs())
  , chosen(backend_for(checked<Number>(options), communicator))
  , options_(options)
  , material_(checked(material))
  , mesh_(build_element_mesh(dof_handler, mpi))
  , n_elements_(communicator.sum(mesh_.n_elements))
  , n_active_cells_(dof_handler.get_triangulation().n_active_cells())
{
  if (!communicator.any(!owned.is_contiguous()))
    {
      partitioner = std::make_shared<dealii::Utilities::MPI::Partitioner>(
        owned, dealii::DoFTools::extract_locally_relevant_dofs(dof_handler), mpi);
    }
  for (const auto &cell : dof_handler.get_triangulation().active_cell_iterators())
    if (cell->is_locally_owned())
      owned_cells.push_back(cell->active_cell_index());
  set_constraints(prescribed, mpi, mesh_);
  for (const auto &[dof, value] : prescribed)
    constrained_.push_back(static_cast<std::uint32_t>(owned.index_within_set(dof)));

  Backend &backend  = *chosen.backend;
  const auto set_up = [&]() {
    matrix_ = std::make_unique<ElasticityOperator<Number>>(
      backend, communicator, mesh_, material, options.strategy);
    exchange = std::make_unique<VectorExchange<Number>>(backend, owned, mesh_);
    x_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    y_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    factors_ = Array<double>(backend.memory(), std::vector<double>(mesh_.n_elements, 1.));
  };
  with_own_advice([&]() { attempt_together(communicator, set_up); });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_factors(const std::vector<double> &factors)
{
  std::vector<double> of_elements(mesh_.n_elements);
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    of_elements[e] = factors[mesh_.element_to_cell[e]];
  upload(
    *chosen.backend, of_elements.data(), mesh_.n_elements, factors_, exchange->transfers.uploads);
  matrix_->set_stiffness(factors_);
  if (solver_ != nullptr)
    solver_->update(factors_);
  if (has_diagonal)
    compute_diagonal();
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_prescribed(const PrescribedDofs &prescribed)
{
  ElementMesh before;
  before.constrained_dofs   = mesh_.constrained_dofs;
  before.constrained_values = mesh_.constrained_values;
  set_constraints(prescribed, mpi, mesh_);
  if (communicator.any(mesh_.constrained_dofs != before.constrained_dofs))
    {
      mesh_.constrained_dofs   = before.constrained_dofs;
      mesh_.constrained_values = before.constrained_values;
      throw Error("The constraints hold other degrees of freedom than those that the "
                  "StiffnessOperator was made with; only values may change.\n  Make another "
                  "StiffnessOperator.");
    }
  matrix_->set_prescribed(mesh_.constrained_values);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::multiply(Number *const dst,
                                                         const Number *const src,
                                                         const bool add)
{
  if (dst == src && !owned.is_empty())
    throw Error("The two vectors of a product with StiffnessOperator are one.\n  They must differ, "
                "as for deal.II's matrices.");
  exchange->upload(src, x_);
  matrix_->zero_constrained(x_);
  matrix_->apply(x_, y_);
  if (!add)
    {
      exchange->download(y_, dst);
      for (const std::uint32_t i : constrained_)
        dst[i] = src[i];
      return;
    }
  host_.resize(owned.n_elements());
  exchange->download(y_, host_.data());
  for (std::size_t i = 0; i < host_.size(); ++i)
    dst[i] += host_[i];
  for (const std::uint32_t i : constrained_)
    dst[i] += src[i];
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::lift(Number *const rhs)
{
  if (matrix_->has_prescribed_displacements())
    {
      x_.set_zero();
      matrix_->set_constrained(x_);
      matrix_->apply_unconstrained(x_, y_);
      host_.resize(owned.n_elements());
      exchange->download(y_, host_.data());
      for (std::size_t i = 0; i < host_.size(); ++i)
        rhs[i] -= host_[i];
    }
  for (const std::uint32_t i : constrained_)
    rhs[i] = Number(0);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::compute_diagonal()
{
  matrix_->diagonal(y_);
  diagonal.resize(owned.n_elements());
  exchange->download(y_, diagonal.data());
  has_diagonal = true;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_diagonal(const char *const who) const
{
  if (!has_diagonal)
    throw Error(std::string("StiffnessOperator::") + who +
                " needs the diagonal.\n  Call compute_diagonal() before.");
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_unchanged() const
{
  if (dof_handler.n_dofs() != n_dofs ||
      dof_handler.get_triangulation().n_active_cells() != n_active_cells_)
    throw Error("The mesh or its degrees of freedom have changed since the StiffnessOperator was "
                "made.\n  Make another one.");
}

template class StiffnessOperator<double>::Implementation;
template class StiffnessOperator<float>::Implementation;
} // namespace strut::plugin
