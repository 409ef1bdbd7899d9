// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/gathered_levels.h"

#include <strut/base/exceptions.h>

#include <exception>

namespace strut
{
namespace
{
/// Returns settings for V-cycles on the levels, of which this class makes more than one.
MultigridSettings v_cycles(MultigridSettings settings)
{
  settings.coarse_cycles = 1;
  return settings;
}

/// Gathers an array of all ranks, which is allocated when it is first needed.
template <typename Number>
void gather(Backend &backend,
            AllGather<Number> &ranks,
            const Array<Number> &own,
            Array<Number> &all)
{
  if (all.empty())
    all = Array<Number>(backend.memory(), ranks.n_all());
  ranks.gather(own, all);
}
} // namespace

template <typename Number>
GatheredLevels<Number>::GatheredLevels(Backend &backend,
                                       const Communicator &communicator,
                                       const MeshHierarchy &coarser,
                                       const std::size_t level,
                                       const Material &material,
                                       const MultigridSettings &settings,
                                       const unsigned int n_cycles)
  : backend_(backend)
  , communicator_(communicator)
  , dofs_(backend, communicator, coarser[level].mesh.n_owned_dofs())
  , elements_(backend, communicator, coarser[level].mesh.n_elements)
  , levels_(gather_levels(backend, communicator, coarser, level))
  , multigrid_(backend,
               Communicator(),
               Structure{levels_.mesh, material, levels_.coarser},
               v_cycles(settings))
  , n_cycles_(n_cycles)
  , n_elements_(coarser[level].mesh.n_elements)
{}

/// The levels have the sum as their shift.
template <typename Number>
void GatheredLevels<Number>::set_diagonal(const AddedDiagonal which, const Array<Number> &values)
{
  gather(backend_, dofs_, values, added_[static_cast<int>(which)]);
  const auto &[springs, shift] = added_;
  if (springs.empty() || shift.empty())
    return multigrid_.set_shift(springs.empty() ? shift : springs);
  Array<Number> sum(backend_.memory(), dofs_.n_all());
  sum.copy_from(springs);
  backend_.vector_operations<Number>().axpy(sum.size(), Number(1), shift, sum);
  multigrid_.set_shift(sum);
}

template <typename Number>
bool GatheredLevels<Number>::set(const Stiffness &stiffness)
{
  Array<double> own(backend_.memory(), stiffness.is_stored() ? 0 : n_elements_);
  multigrid_.set(Stiffness::of_fields(stiffness.layout(),
                                      [&](unsigned int, const unsigned int k, Array<double> &all) {
                                        elements_.gather(stiffness.component(0, k, own), all);
                                      }));
  return true;
}

template <typename Number>
void GatheredLevels<Number>::set_matrices(const Array<Number> &)
{
  throw Error("The levels that are gathered on each rank have no element matrices.");
}

/// Reports failures. Atomic additions may differ in the last bit between ranks, so all ranks refuse
/// a matrix that is almost singular on one.
template <typename Number>
void GatheredLevels<Number>::finish()
{
  std::exception_ptr failure;
  try
    {
      multigrid_.finish();
    }
  catch (const SolverFailure &)
    {
      failure = std::current_exception();
    }
  if (!communicator_.any(failure != nullptr))
    return;
  if (failure != nullptr)
    std::rethrow_exception(failure);
  throw SolverFailure(
    "The coarsest level of multigrid has no Cholesky factor on another rank: its matrix is not positive definite.",
    Remedy::check_supports_or_use_jacobi);
}

template <typename Number>
void GatheredLevels<Number>::solve(const Array<Number> &r, Array<Number> &x)
{
  dofs_.gather(r, multigrid_.residual());
  multigrid_.submit(n_cycles_);
  dofs_.take_own(multigrid_.correction(), x);
}

template class GatheredLevels<double>;
template class GatheredLevels<float>;
} // namespace strut
