// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/krylov/right_hand_side.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/base/array.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/nodal_forces.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strut
{
/// The forces of a load case in the memory of a backend: a vector, or the nonzero entries alone
/// where they act on few nodes.
template <typename Number>
struct LoadVector
{
  Array<Number> all;
  SparseVector<Number> few; ///< used if `all` is empty

  RightHandSide<Number> get() const
  {
    return all.empty() ? RightHandSide<Number>(few) : RightHandSide<Number>(all);
  }
};

/// Returns forces in the memory of a backend, `[n]`, zero where there are none. Only blocks with
/// forces are made on the host and copied, as most loads act on few nodes.
/// @param n  at least the number of values in `forces`
template <typename Number>
Array<Number> forces_on_backend(Memory &memory, const std::size_t n, const NodalForces &forces)
{
  constexpr std::size_t of_block = std::size_t(1) << 16;
  Array<Number> result(memory, n);
  std::vector<Number> values;
  std::size_t first     = 0; // First entry of the block.
  const auto copy_block = [&]() {
    if (!values.empty())
      memory.copy_from_host(result.data() + first, values.data(), values.size() * sizeof(Number));
  };
  forces.for_each([&](const std::size_t dof, const double force) { // The DoFs are ascending.
    if (values.empty() || dof >= first + of_block)
      {
        copy_block();
        first = dof / of_block * of_block;
        values.assign(std::min(of_block, n - first), Number(0));
      }
    values[dof - first] = static_cast<Number>(force);
  });
  copy_block();
  return result;
}

/// Returns the entries of forces on owned DoFs.
/// @param without  ascending DoFs whose entries are left out
template <typename Number>
SparseVector<Number>
sparse_forces(Memory &memory, const NodalForces &forces, const std::vector<LocalIndex> &without)
{
  std::vector<std::uint32_t> dofs;
  std::vector<Number> values;
  forces.for_each([&](const std::size_t dof, const double force) {
    if (std::binary_search(without.begin(), without.end(), dof))
      return;
    dofs.push_back(static_cast<std::uint32_t>(dof));
    values.push_back(static_cast<Number>(force));
  });
  return {Array<std::uint32_t>(memory, dofs), Array<Number>(memory, values)};
}

/// Removes forces on supports, which do no work. With prescribed displacements all forces do, and
/// stay.
template <typename Number>
void drop_idle(ElasticityOperator<Number> &matrix, Array<Number> &forces)
{
  if (matrix.has_prescribed_displacements())
    return;
  matrix.condense(forces);
  matrix.zero_constrained(forces);
}

/// Sets the forces of a load case to the weight of this rank's elements, and adds its fixed forces.
/// Collective.
template <typename Number>
void set_weight(ElasticityOperator<Number> &matrix,
                HaloExchange<Number> &ghosts,
                const LoadCase &load_case,
                const std::vector<double> &weight,
                Array<Number> &forces)
{
  forces.copy_from_host(std::vector<Number>(weight.begin(), weight.end()));
  ghosts.add_to_owners(forces);
  std::vector<Number> all = forces.to_host();
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(load_case.forces.size()),
            all.end(),
            Number(0));
  load_case.forces.for_each(
    [&](const std::size_t dof, const double force) { all[dof] += static_cast<Number>(force); });
  forces.copy_from_host(all);
  drop_idle(matrix, forces);
}

/// Makes the load vector without idle forces. Collective.
template <typename Number>
LoadVector<Number> make_load_vector(Memory &memory,
                                    ElasticityOperator<Number> &matrix,
                                    const ElementMesh &mesh,
                                    const LoadCase &load_case)
{
  if (!keeps_whole_vector(matrix.has_dependent(), load_case))
    return {{},
            sparse_forces<Number>(memory,
                                  load_case.forces,
                                  matrix.has_prescribed_displacements() ? std::vector<LocalIndex>()
                                                                        : mesh.constrained_dofs)};
  LoadVector<Number> loads{forces_on_backend<Number>(memory, mesh.n_dofs(), load_case.forces), {}};
  drop_idle(matrix, loads.all);
  return loads;
}
} // namespace strut
