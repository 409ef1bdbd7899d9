// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/aggregation_solver.h"
#include "source/element/components.h"
#include "source/parallel/node_numbers.h"
#include "source/solvers/host_threads.h"

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

namespace strut
{
template <typename Number>
AggregationSolver<Number>::AggregationSolver(Backend &backend,
                                             const Communicator &communicator,
                                             const ElementMesh &mesh,
                                             const Material &material,
                                             const AggregationSettings &settings)
  : backend_(backend)
  , communicator_(communicator)
  , n_elements_(mesh.n_elements)
  , n_owned_(mesh.n_owned_dofs())
  , stiffness_(gather_elements(backend, communicator, mesh),
               static_cast<std::size_t>(communicator.sum(static_cast<double>(mesh.n_owned_nodes))),
               material,
               host_threads(backend))
  , levels_(host_threads(backend),
            stiffness_.pattern(),
            stiffness_.points(),
            stiffness_.constrained(),
            settings)
{
  require_displacements(mesh, "Smoothed aggregation");
  const auto begins = begins_over_ranks(communicator, n_owned_);
  first_            = begins[communicator.rank()];
  n_                = begins.back();
}

/// Collects the values of all ranks in the order of the matrix, zero on constrained DoFs.
template <typename Number>
std::vector<double> AggregationSolver<Number>::gather(const Array<Number> &values) const
{
  const std::vector<Number> own = values.to_host();
  const std::vector<double> all = communicator_.gather(
    std::vector<double>(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(n_owned_)));
  std::vector<double> result(n_, 0.);
  for (std::size_t i = 0; i < n_; ++i)
    if (stiffness_.constrained()[i] == 0)
      result[i] = all[3 * std::size_t(stiffness_.nodes()[i / 3]) + i % 3];
  return result;
}

template <typename Number>
void AggregationSolver<Number>::set_diagonal(const AddedDiagonal which, const Array<Number> &values)
{
  added_[static_cast<int>(which)] = gather(values);
}

template <typename Number>
bool AggregationSolver<Number>::set(const Stiffness &stiffness)
{
  HostStiffness all = host_stiffness(backend_.memory(), n_elements_, stiffness);
  for (std::vector<double> &numbers : all.components)
    numbers = communicator_.gather(numbers);
  stiffness_.assemble(all, levels_.matrix());
  renew();
  return true;
}

template <typename Number>
void AggregationSolver<Number>::set_matrices(const Array<Number> &)
{
  throw Error("Smoothed aggregation takes no element matrices, but the numbers of a law.");
}

/// Assembles the matrix with the springs and the shift on the diagonal, and updates the levels.
template <typename Number>
void AggregationSolver<Number>::renew()
{
  BlockMatrix<3, 3> &K = levels_.matrix();
  for (const std::vector<double> &added : added_)
    for (std::size_t i = 0; i < added.size(); ++i)
      K.block(K.pattern.find(i / 3, static_cast<std::uint32_t>(i / 3)))[4 * (i % 3)] += added[i];
  levels_.renew();
}

template <typename Number>
void AggregationSolver<Number>::solve(const Array<Number> &r, Array<Number> &x)
{
  levels_.solve(gather(r), x_);
  std::vector<Number> values(x.size(), Number(0));
  for (std::size_t i = 0; i < n_; ++i)
    if (const std::size_t dof = 3 * std::size_t(stiffness_.nodes()[i / 3]) + i % 3;
        dof >= first_ && dof < first_ + n_owned_)
      values[dof - first_] = static_cast<Number>(x_[i]);
  x.copy_from_host(values);
}

template class AggregationSolver<double>;
template class AggregationSolver<float>;
} // namespace strut
