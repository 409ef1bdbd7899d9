// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// The size of a rank's part of a mesh, for memory plans.
struct MeshSize
{
  std::size_t n_elements    = 0;
  std::size_t n_nodes       = 0; ///< ghosts included
  unsigned int n_components = 3; ///< components per node
  /// DoFs of the coarsest level of multigrid where the backend keeps its full inverse; else 0.
  std::size_t n_inverted_dofs = 0;
  /// The number of inverted DoFs with Galerkin's operators, which may end before background levels.
  std::size_t n_inverted_galerkin_dofs = 0;
  /// Elements and nodes of all background levels of multigrid together; 0 where the levels are
  /// those of refinement.
  std::size_t n_background_elements = 0;
  std::size_t n_background_nodes    = 0;
  std::size_t n_stiffness_shares    = 0;     ///< see StiffnessShares
  std::size_t n_placed_nodes        = 0;     ///< see NodePlaces
  bool is_flat                      = false; ///< all coarser levels are background, or linear
  std::size_t n_linear_nodes        = 0;     ///< nodes of the level of linear elements on this mesh
  /// Entries of the arrays between levels, with the ghosts of other ranks; 0 on one rank.
  std::size_t n_transfer_elements = 0;
  std::size_t n_transfer_nodes    = 0;
  /// Elements and nodes, over all ranks, of the first level of multigrid of which each of several
  /// ranks has a copy; 0: there is none.
  std::size_t n_gathered_elements = 0;
  std::size_t n_gathered_nodes    = 0;
  /// Levels from the finest to the first gathered one, inclusive.
  unsigned int n_own_levels   = 0;
  std::size_t n_pattern_words = 0; ///< words of the patterns between levels: see NodeLists
  std::size_t n_exchanged = 0;  ///< numbers that multigrid sends to other ranks: see HaloExchange
  std::size_t n_summed    = 0;  ///< numbers that multigrid sums with other ranks
  ElementType type        = {}; ///< type of the elements
  StiffnessLayout layout  = {}; ///< numbers of an element on the finest level

  /// Slots of patches per element beyond the estimates; negative: fewer (OperatorSize).
  double more_slots_per_element = 0.;
  std::size_t n_mean_values     = 0;     ///< conditions of MeanValues, over all ranks
  bool has_springs              = false; ///< the mesh has springs on some rank

  /// The levels of multigrid have springs, or terms that hold the rigid motions which mean values
  /// prevent.
  bool has_shift = false;
  /// Nodes of the levels of multigrid whose products need a vector although their operator can
  /// subtract them: levels with dependent DoFs, or with a shift, which takes another vector.
  std::size_t n_product_nodes  = 0;
  std::size_t n_dependent_dofs = 0; ///< dependent DoFs of all levels

  /// Dependent DoFs of the mesh itself, including those of conditions.
  std::size_t n_own_dependent_dofs = 0;
  bool has_similar_elements        = false; ///< all elements are copies of one: see Strategy
};

/// Bytes per rank that objects will keep on the backend, known before anything is allocated. Each
/// constructor has a function next to it that adds its part. MemoryPlanTest compares the plan with
/// the memory in use.
struct MemoryPlan
{
  double operator_bytes       = 0; ///< kept by the strategy
  double vector_bytes         = 0; ///< displacements, forces, work vectors of the solver
  double preconditioner_bytes = 0;
  double design_bytes         = 0; ///< densities, sensitivities, filter

  double total() const
  {
    return operator_bytes + vector_bytes + preconditioner_bytes + design_bytes;
  }
};
} // namespace strut
