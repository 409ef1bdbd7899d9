// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The vectors that StiffnessOperator takes: which fit, and where their owned entries are.
#include <deal.II/lac/trilinos_vector.h>

#include <strut/base/exceptions.h>

#include <type_traits>

#include "plugin/application/stiffness_operator_implementation.h"

namespace strut::plugin
{
namespace
{
using TrilinosVector = dealii::TrilinosWrappers::MPI::Vector;

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

void require_ranges(const bool contiguous)
{
  if (!contiguous)
    throw Error(
      "The degrees of freedom that a rank owns are no contiguous range of numbers, as "
      "DoFRenumbering::component_wise() leaves them on several ranks, and "
      "LinearAlgebra::distributed::Vector holds such ranges only.\n  Renumber in another way, or use "
      "TrilinosWrappers::MPI::Vector.");
}
} // namespace

template <typename Number>
template <class Vector>
const Number *StiffnessOperator<Number>::owned_entries(const Implementation &there,
                                                       const Vector &vector)
{
  const std::size_t n_owned = there.owned.n_elements();
  if constexpr (std::is_same_v<Vector, dealii::Vector<Number>>)
    {
      require_one_rank(there.communicator);
      check_size(vector.size(), there.n_dofs);
    }
  else if constexpr (std::is_same_v<Vector, DistributedVector>)
    {
      require_ranges(there.partitioner != nullptr);
      check_size(vector.size(), there.n_dofs);
      const bool fits = vector.locally_owned_size() == n_owned &&
                        (n_owned == 0 || vector.get_partitioner()->local_range().first ==
                                           there.owned.nth_index_in_set(0));
      check_owned(fits, vector.locally_owned_size(), n_owned);
    }
  else
    {
      check_size(vector.size(), there.n_dofs);
      if (vector.has_ghost_elements())
        throw Error("A TrilinosWrappers::MPI::Vector with ghost entries cannot be multiplied with "
                    "the StiffnessOperator.\n  Copy it to one without.");
      check_owned(vector.locally_owned_elements() == there.owned,
                  vector.locally_owned_elements().n_elements(),
                  n_owned);
    }
  return n_owned == 0 ? nullptr : &*vector.begin();
}

template <typename Number>
template <class Vector>
void StiffnessOperator<Number>::initialize(const Implementation &there, Vector &vector)
{
  if constexpr (std::is_same_v<Vector, dealii::Vector<Number>>)
    {
      require_one_rank(there.communicator);
      vector.reinit(there.n_dofs);
    }
  else if constexpr (std::is_same_v<Vector, DistributedVector>)
    {
      require_ranges(there.partitioner != nullptr);
      vector.reinit(there.partitioner);
    }
  else
    vector.reinit(there.owned, there.mpi);
}

template <typename Number>
template <class Vector>
void StiffnessOperator<Number>::clear_ghosts(Vector &vector)
{
  if constexpr (std::is_same_v<Vector, DistributedVector>)
    vector.zero_out_ghost_values(); // also the addends that were not compress()ed
}

#define STRUT_INSTANTIATE(Number, Vector)                                                 \
  template const Number *StiffnessOperator<Number>::owned_entries(const Implementation &, \
                                                                  const Vector &);        \
  template void StiffnessOperator<Number>::initialize(const Implementation &, Vector &);  \
  template void StiffnessOperator<Number>::clear_ghosts(Vector &);
STRUT_INSTANTIATE(double, dealii::Vector<double>)
STRUT_INSTANTIATE(double, StiffnessOperator<double>::DistributedVector)
STRUT_INSTANTIATE(double, TrilinosVector)
STRUT_INSTANTIATE(float, dealii::Vector<float>)
STRUT_INSTANTIATE(float, StiffnessOperator<float>::DistributedVector)
#undef STRUT_INSTANTIATE
} // namespace strut::plugin
