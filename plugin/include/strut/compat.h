// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/config.h>

#if DEAL_II_VERSION_GTE(9, 7, 0)
#  include <deal.II/base/enable_observer_pointer.h>
#  include <deal.II/base/observer_pointer.h>
#else
#  include <deal.II/base/smartpointer.h>
#  include <deal.II/base/subscriptor.h>
#endif

/// Names that deal.II has changed between 9.4 and 9.7; doc/running.md lists the tested releases.
namespace strut::compat
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
/// Base of the objects that deal.II's solvers and preconditioners may point to.
using Subscriptor = dealii::EnableObserverPointer;
/// A pointer to an object that somebody else owns. Debug mode reports its use after the end of the
/// object.
template <typename T>
using ObserverPointer = dealii::ObserverPointer<T>;
#else
/// Base of the objects that deal.II's solvers and preconditioners may point to.
using Subscriptor = dealii::Subscriptor;
/// A pointer to an object that somebody else owns. Debug mode reports its use after the end of the
/// object.
template <typename T>
using ObserverPointer            = dealii::SmartPointer<T>;
#endif

/// Whether deal.II has PETSc's vectors with real numbers.
#if defined(DEAL_II_WITH_PETSC) && !defined(DEAL_II_PETSC_WITH_COMPLEX)
#  define STRUT_HAS_PETSC_VECTORS
constexpr bool has_petsc_vectors = true;
#else
constexpr bool has_petsc_vectors = false;
#endif

/// The MPI communicator of a triangulation or a DoFHandler.
template <typename Distributed>
auto mpi_communicator(const Distributed &object)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  return object.get_mpi_communicator();
#else
  return object.get_communicator();
#endif
}
} // namespace strut::compat
