// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/multigrid_operations.h"
#include "source/mesh/constrained_components.h"
#include "source/parallel/halo_sum.h"
#include "source/solvers/constraints/dependent_dofs.h"
#include "source/solvers/multigrid/leading_dofs.h"
#include "source/solvers/multigrid/level_with_diagonal.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/support_springs.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace strut
{
/// Data of a level for the cycle.
template <typename Number>
struct Multigrid<Number>::Level
{
  Level(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
    : mesh(mesh)
    , n_nodes(mesh.n_nodes)
    , supported(backend.memory(),
                constrained_components(mesh.constrained_dofs, mesh.n_nodes, mesh.n_components))
    , supported_dofs(backend.memory(), mesh.constrained_dofs)
    , dependent(backend, mesh)
    , leading(backend, communicator, mesh)
    , blocks(backend.memory(), StoredBlock<Number>::n_words(mesh.n_components) * mesh.n_nodes)
    , memory(backend.memory())
    , x(memory, mesh.n_dofs())
  {
    if (communicator.size() > 1 && communicator.any(!dependent.empty()))
      {
        std::vector<LocalIndex> dofs(mesh.n_dofs() - mesh.n_owned_dofs());
        std::iota(dofs.begin(), dofs.end(), static_cast<LocalIndex>(mesh.n_owned_dofs()));
        ghosts   = Array<LocalIndex>(backend.memory(), dofs);
        node_sum = std::make_unique<HaloSum<Number>>(backend,
                                                     communicator,
                                                     mesh.node_halo,
                                                     mesh.n_components);
      }
    if (node_sum == nullptr && dependent.empty())
      return;
    std::vector<double> marks(mesh.n_dofs(), 0.);
    for (const std::vector<LocalIndex> *const dofs : {&mesh.constrained_dofs, &mesh.dependent.dofs})
      for (const LocalIndex dof : *dofs)
        marks[dof] = 1.;
    if (
      node_sum !=
      nullptr) // If no element here has the masters, only owners know which DoFs depend on others.
      {
        const auto host = make_cpu_backend(1);
        Array<double> shared(host->memory(), marks);
        HaloExchange<double>(*host, communicator, mesh.node_halo, mesh.n_components)
          .update_ghosts(shared);
        marks = shared.to_host();
      }
    std::vector<std::uint8_t> components(mesh.n_nodes, 0);
    for (std::size_t dof = 0; dof < marks.size(); ++dof)
      if (marks[dof] > 0.)
        components[dof / mesh.n_components] |=
          static_cast<std::uint8_t>(1u << dof % mesh.n_components);
    held = Array<std::uint8_t>(backend.memory(), components);
  }

  /// Set v to zero where displacements are prescribed, and on dependent DoFs.
  void set_zero_on_constrained(const VectorOperations<Number> &vectors, Array<Number> &v) const
  {
    vectors.set(supported_dofs, Number(0), v);
    dependent.set(Number(0), v);
  }

  /// Allocate the vectors, before the first cycle.
  void provide_vectors()
  {
    if (!has_vectors())
      take_vectors(memory);
  }

  bool has_vectors() const
  {
    return r.size() == x.size();
  }

  /// Take residual and step from this memory where it has room. Packed blocks are made in both, so
  /// these are halves of one array.
  void take_vectors(Memory &from)
  {
    const auto take = [&](const std::size_t n) {
      return Array<Number>(n * sizeof(Number) <= from.available() ? from : memory, n);
    };
    release_vectors();
    if constexpr (StoredBlock<Number>::is_packed)
      {
        both = take(2 * x.size());
        halves =
          std::make_unique<BorrowedMemory>(memory, both.data(), both.size() * sizeof(Number));
        d = Array<Number>(*halves, x.size());
        r = Array<Number>(*halves, x.size());
      }
    else
      {
        d = take(x.size());
        r = take(x.size());
      }
  }

  void release_vectors()
  {
    for (Array<Number> *const vector : {&r, &d, &both})
      *vector = Array<Number>();
  }

  /// Array in which new blocks are made, between cycles. It has room for a block of each node.
  Array<Number> &new_blocks()
  {
    if constexpr (StoredBlock<Number>::is_packed)
      {
        provide_vectors();
        return both;
      }
    else
      return blocks;
  }

  /// Compute q = K d, for r - q. If K can subtract, r becomes the difference, and the result is
  /// empty.
  const Array<Number> &product()
  {
    if (K->subtract(d, r))
      return no_product;
    if (q.empty())
      q = Array<Number>(memory, x.size());
    K->apply(d, q);
    return q;
  }

  /// Add the values that owners have on dependent DoFs to their masters, by
  /// DependentDofs::condense() or condense_bound().
  void condense(const VectorOperations<Number> &vectors,
                void (DependentDofs<Number>::*const condense_local)(Array<Number> &) const,
                Array<Number> &v) const
  {
    if (node_sum != nullptr)
      vectors.set(ghosts, Number(0), v);
    (dependent.*condense_local)(v);
    if (node_sum != nullptr)
      node_sum->add(v);
  }

  /// Components of each node that the smoother leaves unchanged.
  const Array<std::uint8_t> &constrained() const
  {
    return held.empty() ? supported : held;
  }

  LevelSupports<Number> supports() const
  {
    return {mesh, supported, supported_dofs, springs == nullptr ? nullptr : &springs->springs()};
  }

  const ElementMesh &mesh;
  /// Nodes of this rank, ghosts included: vectors are shared (LevelOperator).
  const std::size_t n_nodes;
  std::unique_ptr<LevelOperator<Number>> K;
  SupportSprings<Number> *springs    = nullptr; ///< springs of K, if there are any
  LevelWithDiagonal<Number> *shifted = nullptr; ///< K, once there is a shift
  Array<std::uint8_t> supported; ///< components of each node with prescribed displacements
  Array<LocalIndex> supported_dofs;
  DependentDofs<Number> dependent;
  LeadingDofs<Number> leading;
  Array<LocalIndex> ghosts; ///< DoFs of ghosts; used if several ranks have dependent DoFs
  std::unique_ptr<HaloSum<Number>> node_sum; ///< used if several ranks have dependent DoFs
  Array<std::uint8_t> held;    ///< supported and dependent components, if some are dependent
  StoredBlocks<Number> blocks; ///< inverse nodal blocks
  Memory &memory;
  Array<Number> x;
  Array<Number> both; ///< the memory of r and d where blocks are packed
  std::unique_ptr<BorrowedMemory> halves;
  Array<Number> r, d; ///< allocated once they are needed
  Array<Number> q;    ///< allocated once it is needed, only if K does not subtract its products
  bool has_begin = false;
  Array<Number> begin; ///< start vector of largest_level_eigenvalue(), once there were tangents
  const Array<Number> no_product;
  unsigned int smoothing_steps = 0; ///< steps of the smoother, which is made with each stiffness
  PolynomialSmoother smoother;

  /// Transfer to the next coarser level; null on the coarsest.
  std::unique_ptr<GridTransfer<Number>> transfer;
};
} // namespace strut
