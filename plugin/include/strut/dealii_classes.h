// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/config.h>

#if DEAL_II_VERSION_GTE(9, 5, 0)
#  include <deal.II/base/template_constraints.h>
#  define STRUT_OF_VALID_DIMENSIONS \
    DEAL_II_CXX20_REQUIRES((concepts::is_valid_dim_spacedim<dim, spacedim>))
#else
#  define STRUT_OF_VALID_DIMENSIONS
#endif

// Forward declarations of deal.II's classes: its headers take seconds to compile. With C++20, later
// releases constrain the first two classes, and declarations must repeat the constraint.
DEAL_II_NAMESPACE_OPEN
template <int dim, int spacedim>
STRUT_OF_VALID_DIMENSIONS class Triangulation;
template <int dim, int spacedim>
STRUT_OF_VALID_DIMENSIONS class DoFHandler;
template <int dim, int spacedim>
class CellAccessor;
template <typename Accessor>
class TriaActiveIterator;
template <typename number>
class AffineConstraints;
template <int dim, int spacedim>
class Mapping;
template <int dim>
class FunctionParser;
class ParameterHandler;
class SolverControl;
namespace TrilinosWrappers::MPI
{
class Vector;
}
namespace PETScWrappers::MPI
{
class Vector; // defined where deal.II has PETSc
}
DEAL_II_NAMESPACE_CLOSE

#undef STRUT_OF_VALID_DIMENSIONS
