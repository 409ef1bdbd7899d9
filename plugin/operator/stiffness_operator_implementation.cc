// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operator/stiffness_operator_implementation.h"

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <utility>

#include "plugin/base/attempt.h"
#include "plugin/base/host_threads.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/operator/option_remedies.h"

namespace strut::plugin
{
namespace
{
ChosenBackend backend_for(const StiffnessOptions &options, const Communicator &communicator)
{
  ChosenBackend chosen = in_words_of_options([&]() {
    return choose_backend(options.backend, options.n_threads, communicator, options.device);
  });
  if (chosen.backend == nullptr)
    throw Error(
      "StiffnessOptions::backend is 'cuda', but there is no GPU to use: " + chosen.reason +
      ".\n  Set it to 'cpu' (or 'auto'), or run where a GPU and, in the build of strut, "
      "the CUDA toolkit are.");
  return chosen;
}

/// Where the mesh has the values of owned DoFs among those of its constrained DoFs.
std::vector<std::uint32_t> places_of(const std::vector<dealii::types::global_dof_index> &dofs,
                                     const ElementMesh &mesh)
{
  std::vector<std::uint32_t> places(dofs.size());
  for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
    if (mesh.constrained_dofs[k] < mesh.n_owned_dofs())
      {
        const auto dof = mesh.dof_indices[mesh.constrained_dofs[k]];
        places[std::lower_bound(dofs.begin(), dofs.end(), dof) - dofs.begin()] =
          static_cast<std::uint32_t>(k);
      }
  return places;
}
} // namespace

template <typename Number>
StiffnessOperator<Number>::Implementation::Implementation(
  const dealii::DoFHandler<3, 3> &the_dof_handler,
  const PrescribedValues &prescribed,
  const Material &material,
  const StiffnessOptions &options)
  : dof_handler(&the_dof_handler)
  , mpi(compat::mpi_communicator(dof_handler->get_triangulation()))
  , communicator(mpi)
  , owned(dof_handler->locally_owned_dofs())
  , n_dofs(dof_handler->n_dofs())
  , chosen(backend_for(options, communicator))
  , guard_(*dof_handler)
  , options_(options)
  , material_(material)
{
  attempt_or_abort(communicator, [&]() {
    mesh_ = build_element_mesh(*dof_handler, mpi);
    set_constraints(PrescribedDofs(prescribed.begin(), prescribed.end()), mpi, mesh_);
  });
  n_elements_ = communicator.sum(mesh_.n_elements);
  if (!communicator.any(!owned.is_contiguous()))
    {
      partitioner = std::make_shared<dealii::Utilities::MPI::Partitioner>(
        owned, dealii::DoFTools::extract_locally_relevant_dofs(*dof_handler), mpi);
    }
  for (const auto &cell : dof_handler->get_triangulation().active_cell_iterators())
    if (cell->is_locally_owned())
      owned_cells.push_back(cell->active_cell_index());
  for (const auto &[dof, value] : prescribed)
    {
      constrained_dofs_.push_back(dof);
      constrained_.push_back(static_cast<std::uint32_t>(owned.index_within_set(dof)));
    }
  constrained_places_ = places_of(constrained_dofs_, mesh_);

  Backend &backend = *chosen.backend;
  const HostThreads threads(chosen);
  const auto set_up = [&]() {
    matrix_ = std::make_unique<ElasticityOperator<Number>>(
      backend, communicator, mesh_, material, options.strategy);
    exchange = std::make_unique<VectorExchange<Number>>(backend, owned, mesh_);
    x_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    y_       = Array<Number>(backend.memory(), mesh_.n_dofs());
    factors_ = Array<double>(backend.memory(), std::vector<double>(mesh_.n_elements, 1.));
  };
  attempt_together(communicator, [&]() { in_words_of_options(set_up); });
}

template <typename Number>
StiffnessOperator<Number>::Implementation::Occupation::Occupation(std::atomic_flag &occupied)
  : occupied_(occupied)
{
  if (occupied_.test_and_set(std::memory_order_acquire))
    throw Error(
      "Two threads use one StiffnessOperator at the same time, or its preconditioner; they share work "
      "vectors.\n  Give each thread an operator of its own, or let one wait for the other.");
}

template <typename Number>
StiffnessOperator<Number>::Implementation::Occupation::~Occupation()
{
  occupied_.clear(std::memory_order_release);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_factors(const std::vector<double> &factors)
{
  const Occupation occupation(occupied_);
  const HostThreads threads(chosen);
  const bool had_diagonal = std::exchange(has_diagonal, false); // none is left behind if this fails
  std::vector<double> of_elements(mesh_.n_elements);
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    of_elements[e] = factors[mesh_.element_to_cell[e]];
  upload(
    *chosen.backend, of_elements.data(), mesh_.n_elements, factors_, exchange->transfers.uploads);
  matrix_->set_stiffness(factors_);
  if (auto solver = std::move(solver_); solver != nullptr) // nor a solver
    {
      attempt_or_abort(communicator,
                       [&]() { in_words_of_options([&]() { solver->update(factors_); }); });
      solver_ = std::move(solver);
    }
  if (had_diagonal)
    find_diagonal();
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_prescribed(const PrescribedValues &prescribed)
{
  const Occupation occupation(occupied_);
  const bool same = std::equal(prescribed.begin(),
                               prescribed.end(),
                               constrained_dofs_.begin(),
                               constrained_dofs_.end(),
                               [](const auto &one, const auto dof) { return one.first == dof; });
  if (communicator.any(!same))
    throw Error("The constraints hold other degrees of freedom than those that the "
                "StiffnessOperator was made with; only values may change.\n  Make another "
                "StiffnessOperator.");
  for (std::size_t k = 0; k < prescribed.size(); ++k)
    mesh_.constrained_values[constrained_places_[k]] = prescribed[k].second;
  matrix_->set_prescribed(mesh_.constrained_values); // does not look at those of ghosts
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::multiply(Number *const dst,
                                                         const Number *const src,
                                                         const bool add)
{
  const Occupation occupation(occupied_);
  guard_.require_no_signal();
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
void StiffnessOperator<Number>::Implementation::precondition(Number *const dst,
                                                             const Number *const src)
{
  const Occupation occupation(occupied_);
  guard_.require_no_signal();
  if (dst == src && !owned.is_empty())
    throw Error(
      "The two vectors of a StiffnessOperator's preconditioner are one.\n  They must differ, "
      "as for deal.II's preconditioners.");
  if (solver_ == nullptr)
    throw Error(
      "The preconditioner of the StiffnessOperator was lost when set_factors() failed.\n  Set other "
      "factors, and ask for preconditioner() again.");
  const HostThreads threads(chosen);
  exchange->upload(src, x_);
  matrix_->zero_constrained(x_);
  solver_->precondition(x_, y_);
  exchange->download(y_, dst);
  for (const std::uint32_t i : constrained_)
    dst[i] = src[i];
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::lift(Number *const rhs)
{
  const Occupation occupation(occupied_);
  guard_.require_no_signal();
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
  const Occupation occupation(occupied_);
  guard_.require_no_signal();
  find_diagonal();
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::find_diagonal()
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

template class StiffnessOperator<double>::Implementation;
template class StiffnessOperator<float>::Implementation;
} // namespace strut::plugin
