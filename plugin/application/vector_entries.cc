// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Access to the vectors that StiffnessOperator takes: checks of their size, and their owned
// entries.
#include <strut/compat.h>

#ifdef STRUT_HAS_PETSC_VECTORS
#  include <deal.II/lac/petsc_vector.h>
#endif
#include <deal.II/lac/trilinos_vector.h>

#include <strut/base/exceptions.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "plugin/application/device_vector_contents.h"
#include "plugin/application/stiffness_operator_implementation.h"

namespace strut
{
namespace
{
using TrilinosVector = dealii::TrilinosWrappers::MPI::Vector;
template <class Vector>
constexpr bool is_of_petsc = false;

[[noreturn]] void throw_other_layout(const std::string &found, const std::string &wanted)
{
  throw Error("A vector does not fit the StiffnessOperator: it has " + found +
              ", and the operator has " + wanted +
              ".\n  Make it with initialize_dof_vector(), or with the DoFHandler's "
              "locally_owned_dofs().");
}

void check_size(const dealii::types::global_dof_index found,
                const dealii::types::global_dof_index wanted)
{
  if (found != wanted)
    throw_other_layout(std::to_string(found) + " entries",
                       std::to_string(wanted) + " degrees of freedom");
}

void check_owned(const bool fits, const std::size_t found, const std::size_t wanted)
{
  if (!fits)
    throw_other_layout("other entries on this rank (" + std::to_string(found) + " of them)",
                       std::to_string(wanted) + " owned degrees of freedom there");
}

void require_one_rank(const Communicator &communicator)
{
  if (communicator.size() > 1)
    throw Error("dealii::Vector has all entries on each rank, and the StiffnessOperator is dealt "
                "out to " +
                std::to_string(communicator.size()) +
                " ranks.\n  Use LinearAlgebra::distributed::Vector.");
}

void require_ranges(const bool contiguous, const std::string &vector)
{
  if (!contiguous)
    throw Error("The degrees of freedom that a rank owns are no contiguous range of numbers, as "
                "DoFRenumbering::component_wise() leaves them on several ranks, and " +
                vector +
                " holds such ranges only.\n  Renumber in another way, or use "
                "TrilinosWrappers::MPI::Vector.");
}

/// Throws Error unless the vector has exactly the owned DoFs.
template <class Vector>
void check_algebra_vector(const Vector &vector,
                          const char *const name,
                          const dealii::types::global_dof_index n_dofs,
                          const dealii::IndexSet &owned)
{
  check_size(vector.size(), n_dofs);
  if (vector.has_ghost_elements())
    throw Error(
      "A " + std::string(name) +
      " with ghost entries cannot be multiplied with the StiffnessOperator.\n  Copy it to one "
      "without.");
  check_owned(vector.locally_owned_elements() == owned,
              vector.locally_owned_elements().n_elements(),
              owned.n_elements());
}

#ifdef STRUT_HAS_PETSC_VECTORS
using PETScVector = dealii::PETScWrappers::MPI::Vector;
template <>
constexpr bool is_of_petsc<PETScVector> = true;
static_assert(std::is_same_v<PetscScalar, double>,
              "StiffnessOperator works with PETSc in double precision.");

void check_petsc(const PetscErrorCode code)
{
  if (code != 0)
    throw Error("PETSc gave the error " + std::to_string(code) +
                " when the StiffnessOperator asked for the entries of a vector.");
}

/// PETSc's array of the owned entries on the host; it keeps its place until the vector is made
/// anew.
const double *petsc_entries(const Vec &vector)
{
  PetscBool on_host = PETSC_FALSE;
  check_petsc(PetscObjectTypeCompareAny(
    reinterpret_cast<PetscObject>(vector), &on_host, VECSEQ, VECMPI, VECSTANDARD, ""));
  if (on_host == PETSC_FALSE)
    {
      VecType type = nullptr;
      check_petsc(VecGetType(vector, &type));
      throw Error(
        "A PETScWrappers::MPI::Vector has PETSc's type '" +
        std::string(type == nullptr ? "" : type) +
        "', and the StiffnessOperator reads the host's memory.\n  Make vectors of the type '" VECMPI
        "' (not -vec_type cuda).");
    }
  const double *entries = nullptr;
  check_petsc(VecGetArrayRead(vector, &entries));
  const double *const result = entries;
  check_petsc(VecRestoreArrayRead(vector, &entries));
  return result;
}

/// Tells PETSc that entries were written, as it caches norms.
void forget_norms(const Vec &vector)
{
  double *entries = nullptr;
  check_petsc(VecGetArray(vector, &entries));
  check_petsc(VecRestoreArray(vector, &entries));
}
#endif
} // namespace

template <typename Number>
void StiffnessOperator<Number>::require_one_block(const unsigned int n_blocks)
{
  if (n_blocks != 1)
    throw Error("StiffnessOperator takes block vectors of one block, and this one has " +
                std::to_string(n_blocks) +
                ".\n  Give it vector.block(i), the one of the displacements.");
}

template <typename Number>
template <class Vector>
OwnedEntries<Number> StiffnessOperator<Number>::owned_entries(const Implementation &there,
                                                              const Vector &vector)
{
  const std::size_t n_owned = there.owned.n_elements();
  if constexpr (std::is_same_v<Vector, DeviceVector<Number>>)
    {
      check_size(vector.size(), there.n_dofs);
      if (vector.contents().backend.get() != there.chosen.backend.get())
        throw Error(
          "A DeviceVector was made for another StiffnessOperator, which computes elsewhere.\n  Make it "
          "with initialize_dof_vector() of this one.");
      return {nullptr, const_cast<Vector *>(&vector)};
    }
  else if constexpr (std::is_same_v<Vector, dealii::Vector<Number>>)
    {
      require_one_rank(there.communicator);
      check_size(vector.size(), there.n_dofs);
    }
  else if constexpr (std::is_same_v<Vector, DistributedVector>)
    {
      require_ranges(there.partitioner != nullptr, "LinearAlgebra::distributed::Vector");
      check_size(vector.size(), there.n_dofs);
      const bool fits = vector.locally_owned_size() == n_owned &&
                        (n_owned == 0 || vector.get_partitioner()->local_range().first ==
                                           there.owned.nth_index_in_set(0));
      check_owned(fits, vector.locally_owned_size(), n_owned);
    }
  else if constexpr (is_of_petsc<Vector>)
    {
      require_ranges(there.partitioner != nullptr, "PETScWrappers::MPI::Vector");
      check_algebra_vector(vector, "PETScWrappers::MPI::Vector", there.n_dofs, there.owned);
    }
  else
    check_algebra_vector(vector, "TrilinosWrappers::MPI::Vector", there.n_dofs, there.owned);

  if constexpr (is_of_petsc<Vector>)
    return {const_cast<double *>(petsc_entries(vector))};
  else if constexpr (!std::is_same_v<Vector, DeviceVector<Number>>)
    return {n_owned == 0 ? nullptr : const_cast<Number *>(&*vector.begin())};
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::initialize(DeviceVector<Number> &vector) const
{
  Array<Number> zeros(chosen.backend->memory(), owned.n_elements());
  using Contents = typename DeviceVector<Number>::Contents;
  if (owned_of_vectors_ == nullptr)
    owned_of_vectors_ = std::make_shared<const dealii::IndexSet>(owned);
  vector = DeviceVector<Number>(std::make_unique<Contents>(
    Contents{chosen.backend, communicator, n_dofs, std::move(zeros), owned_of_vectors_}));
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_finite(const Entries &entries,
                                                               const std::string &name) const
{
  std::vector<Number> copy;
  const Number *values = entries.on_host;
  if (entries.there != nullptr)
    {
      if (entries.there->has_finite_norm())
        return;
      copy.resize(entries.there->locally_owned_size());
      entries.there->copy_to_host(copy.data());
      values = copy.data();
    }
  for (std::size_t i = 0; i < owned.n_elements(); ++i)
    if (!std::isfinite(values[i]))
      {
        const auto dof = owned.nth_index_in_set(i);
        throw Error(
          "The " + name + " of solve() " + (name == "forces" ? "hold " : "holds ") +
          (std::isnan(values[i]) ? "NaN" : "an infinite number") + ", DoF " + std::to_string(dof) +
          " (" + place_of(*dof_handler, dof) +
          ").\n  Give finite numbers: look for entries that were not set, and at the integrals of "
          "that place.");
      }
}

template <typename Number>
StiffnessOperator<Number>::Implementation::~Implementation()
{
  if (release_pool != nullptr)
    release_pool();
}

template <typename Number>
void StiffnessOperator<Number>::release_pool_at_end(void (*const release)()) const
{
  contents().release_pool = release;
}

template <typename Number>
template <class Vector>
void StiffnessOperator<Number>::initialize(const Implementation &there, Vector &vector)
{
  if constexpr (std::is_same_v<Vector, DeviceVector<Number>>)
    there.initialize(vector);
  else if constexpr (std::is_same_v<Vector, dealii::Vector<Number>>)
    {
      require_one_rank(there.communicator);
      vector.reinit(there.n_dofs);
    }
  else if constexpr (std::is_same_v<Vector, DistributedVector>)
    {
      require_ranges(there.partitioner != nullptr, "LinearAlgebra::distributed::Vector");
      vector.reinit(there.partitioner);
    }
  else
    {
      if constexpr (is_of_petsc<Vector>)
        require_ranges(there.partitioner != nullptr, "PETScWrappers::MPI::Vector");
      vector.reinit(there.owned, there.mpi);
    }
}

template <typename Number>
template <class Vector>
void StiffnessOperator<Number>::finish_writing_block(Vector &vector)
{
  if constexpr (std::is_same_v<Vector, DistributedVector>)
    vector.zero_out_ghost_values(); // drops also contributions before compress()
  else if constexpr (is_of_petsc<Vector>)
    forget_norms(vector);
}

#define STRUT_INSTANTIATE(Number, Vector)                                                        \
  template OwnedEntries<Number> StiffnessOperator<Number>::owned_entries(const Implementation &, \
                                                                         const Vector &);        \
  template void StiffnessOperator<Number>::initialize(const Implementation &, Vector &);         \
  template void StiffnessOperator<Number>::finish_writing_block(Vector &);
STRUT_INSTANTIATE(double, dealii::Vector<double>)
STRUT_INSTANTIATE(double, StiffnessOperator<double>::DistributedVector)
STRUT_INSTANTIATE(double, TrilinosVector)
STRUT_INSTANTIATE(double, DeviceVector<double>)
STRUT_INSTANTIATE(float, DeviceVector<float>)
#ifdef STRUT_HAS_PETSC_VECTORS
STRUT_INSTANTIATE(double, PETScVector)
#endif
STRUT_INSTANTIATE(float, dealii::Vector<float>)
STRUT_INSTANTIATE(float, StiffnessOperator<float>::DistributedVector)
#undef STRUT_INSTANTIATE
#define STRUT_INSTANTIATE(Number)                                                             \
  template void StiffnessOperator<Number>::Implementation::initialize(DeviceVector<Number> &) \
    const;                                                                                    \
  template void StiffnessOperator<Number>::Implementation::require_finite(                    \
    const OwnedEntries<Number> &, const std::string &) const;                                 \
  template StiffnessOperator<Number>::Implementation::~Implementation();                      \
  template void StiffnessOperator<Number>::release_pool_at_end(void (*)()) const;             \
  template void StiffnessOperator<Number>::require_one_block(unsigned int);
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut
