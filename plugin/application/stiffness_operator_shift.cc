// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plugin/application/cell_values.h"
#include "plugin/application/free_pieces.h"
#include "plugin/application/option_remedies.h"
#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"
#include "plugin/base/host_halo.h"
#include "plugin/element_mesh/finite_element.h"
#include "source/element/shape_tables.h"
#include "source/solvers/state/self_weight.h"

namespace strut
{
template <typename Number>
void StiffnessOperator<Number>::set_shift(const double shift)
{
  contents().set_shift(shift);
}

template <typename Number>
void StiffnessOperator<Number>::set_density(const dealii::Vector<double> &density)
{
  contents().set_density(of_owned_cells(contents(), density, densities_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::set_density(const dealii::Vector<float> &density)
{
  contents().set_density(of_owned_cells(contents(), density, densities_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::set_density(const std::function<double(const Cell &)> &density)
{
  contents().set_density(of_each_owned_cell(contents(), density, densities_of_cells));
}

template <typename Number>
void StiffnessOperator<Number>::multiply_mass(const OwnedEntries<Number> &dst,
                                              const OwnedEntries<Number> &src) const
{
  contents().multiply_mass(dst, src);
}

template <typename Number>
void StiffnessOperator<Number>::multiply_mass_unconstrained(const OwnedEntries<Number> &dst,
                                                            const OwnedEntries<Number> &src) const
{
  contents().multiply_mass_unconstrained(dst, src);
}

namespace
{
/// The lumped masses of quadratic tetrahedra, `[3 * n_nodes]`: the diagonal of the consistent
/// matrix, scaled to the mass of each element. Row sums would be negative at the vertices.
std::vector<double> scaled_diagonal(const ElementMesh &mesh, const std::vector<double> &densities)
{
  const std::vector<double> N       = shapes_at_mass_points(mesh.type),
                            volumes = volumes_of_mass_points(mesh);
  const std::size_t n = mesh.type.n_nodes, n_points = N.size() / n;
  std::vector<double> masses(mesh.n_dofs(), 0.), of_nodes(n);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double volume = 0., sum = 0.;
      std::fill(of_nodes.begin(), of_nodes.end(), 0.);
      for (std::size_t q = 0; q < n_points; ++q)
        {
          const double of_point = volumes[q * mesh.n_elements + e];
          volume += of_point;
          for (std::size_t a = 0; a < n; ++a)
            of_nodes[a] += of_point * N[n * q + a] * N[n * q + a];
        }
      for (const double value : of_nodes)
        sum += value;
      for (std::size_t i = 0; i < 3 * n; ++i)
        masses[3 * mesh.node(e, i / 3) + i % 3] += densities[e] * volume / sum * of_nodes[i / 3];
    }
  return masses;
}
} // namespace

/// Computes masses of the owned DoFs, including contributions from elements of other ranks.
template <typename Number>
void StiffnessOperator<Number>::Implementation::find_masses()
{
  if (has_masses_)
    return;
  if (mesh_.type.n_vertices == 4 && is_quadratic(mesh_.type))
    masses_ = scaled_diagonal(mesh_, densities_);
  else
    masses_ = SelfWeight(mesh_).forces(std::vector<double>(3 * mesh_.n_elements, 1.), densities_);
  add_to_owners(mpi, mesh_, masses_);
  masses_.resize(mesh_.n_owned_dofs());
  std::vector<Number> all(masses_.begin(), masses_.end());
  all.resize(mesh_.n_dofs(), Number(0));
  mass_ = Array<Number>(chosen.backend->memory(), all);
  if (mass_kind_ == MassKind::consistent)
    consistent_mass_ =
      std::make_shared<const ConsistentMass<Number>>(*chosen.backend, mesh_, densities_);
  has_masses_ = true;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_solvable() const
{
  require_no_conflict();
  if (shift_ > 0.)
    return; // the mass holds the body
  if (shift_ < 0.)
    throw Error(
      "The shift of the StiffnessOperator is negative: its preconditioner and solve() want a positive "
      "definite operator.\n  Set another shift, or take vmult() with a solver for indefinite "
      "matrices.");
  if (in_force_.n_without_shear > 0)
    throw Error(
      "Of the cells, " + std::to_string(in_force_.n_without_shear) +
      " have mu = 0: they resist no shear, and K need not be positive definite.\n  For preconditioner() "
      "and solve() give them a small mu, 1e-6 of their lambda say, or set a positive shift.");
  if (!free_pieces_) // stays valid, as neither mesh nor constrained DoFs change
    free_pieces_ = describe_free_pieces(*dof_handler, mesh_, communicator);
  if (!free_pieces_->empty())
    throw Error(
      *free_pieces_ +
      "\n  solve() needs a structure that is held: constrain more degrees of freedom, or set a positive shift.");
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_shift(const double shift)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  attempt_together(communicator, [&]() {
    require_unchanged();
    if (!std::isfinite(shift))
      throw Error("The shift of the StiffnessOperator is " + std::to_string(shift) +
                  ".\n  Give a finite number.");
  });
  set_if_solvable(shift_, shift);
  apply_shift();
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::apply_shift()
{
  std::vector<double> values;
  if (shift_ != 0.)
    {
      find_masses();
      for (const double mass : masses_)
        values.push_back(shift_ * mass);
    }
  follow(in_force_, [&] {
    if (shift_ != 0. && mass_kind_ == MassKind::consistent)
      matrix_->set_shift(values, consistent_mass_, shift_);
    else
      matrix_->set_shift(values);
  });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::set_density(const std::vector<double> &densities)
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  densities_  = of_elements(densities);
  has_masses_ = false;
  if (shift_ != 0.)
    apply_shift();
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::multiply_mass(const Entries &dst,
                                                              const Entries &src)
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  require_two_vectors(dst, src, "a product with StiffnessOperator", "matrices");
  find_masses();
  exchange->upload(src, x_);
  matrix_->zero_constrained(x_);
  if (mass_kind_ == MassKind::consistent)
    matrix_->apply_mass(*consistent_mass_, x_, y_);
  else
    matrix_->apply_diagonal(mass_, x_, y_);
  exchange->download(y_, dst);
  exchange->zero_constrained(dst);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::multiply_mass_unconstrained(const Entries &dst,
                                                                            const Entries &src)
{
  const InUse in_use(occupied_);
  guard_.require_unchanged_in_few_cells();
  find_masses();
  if (mass_kind_ == MassKind::consistent)
    {
      exchange->upload(src, x_);
      matrix_->apply_mass_unconstrained(*consistent_mass_, x_, y_);
      return exchange->download(y_, dst);
    }
  if (dst.there != nullptr)
    {
      exchange->upload(src, x_);
      chosen.backend->template vector_operations<Number>().multiply(owned.n_elements(),
                                                                    mass_,
                                                                    x_,
                                                                    y_);
      return exchange->download(y_, dst);
    }
  for (std::size_t i = 0; i < masses_.size(); ++i)
    {
      const std::uint32_t position = exchange->positions()[i];
      dst.on_host[position]        = static_cast<Number>(masses_[i] * src.on_host[position]);
    }
}

/// Adds the contribution of the shift S at dependent DoFs to the diagonal of `C^T S C` at their
/// masters. It corrects the bound of ElasticityOperator::diagonal(): `(c_im^2 - |c_im| sum_k
/// |c_ik|) S_i`.
template <typename Number>
void StiffnessOperator<Number>::Implementation::add_shift_to_masters(
  std::vector<double> &diagonal) const
{
  const AffineRows &rows = mesh_.dependent;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      const LocalIndex dof = rows.dofs[k];
      if (dof >= masses_.size()) // the owner adds it
        continue;
      double sum = 0;
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        sum += std::abs(rows.weights[j]);
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        diagonal[rows.masters[j]] +=
          (rows.weights[j] * rows.weights[j] - std::abs(rows.weights[j]) * sum) * shift_ *
          masses_[dof];
    }
}

#define STRUT_INSTANTIATE(Number)                                                             \
  template void StiffnessOperator<Number>::set_shift(double);                                 \
  template void StiffnessOperator<Number>::set_density(const dealii::Vector<double> &);       \
  template void StiffnessOperator<Number>::set_density(const dealii::Vector<float> &);        \
  template void StiffnessOperator<Number>::set_density(                                       \
    const std::function<double(const Cell &)> &);                                             \
  template void StiffnessOperator<Number>::multiply_mass(const OwnedEntries<Number> &,        \
                                                         const OwnedEntries<Number> &) const; \
  template void StiffnessOperator<Number>::multiply_mass_unconstrained(                       \
    const OwnedEntries<Number> &, const OwnedEntries<Number> &) const;                        \
  template void StiffnessOperator<Number>::Implementation::set_shift(double);                 \
  template void StiffnessOperator<Number>::Implementation::set_density(                       \
    const std::vector<double> &);                                                             \
  template void StiffnessOperator<Number>::Implementation::require_solvable() const;          \
  template void StiffnessOperator<Number>::Implementation::add_shift_to_masters(              \
    std::vector<double> &) const;
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut
