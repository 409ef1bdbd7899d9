// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

namespace strut
{
/// The part of a mesh that a rank has.
struct MeshSize
{
  std::size_t n_elements = 0;
  std::size_t n_nodes    = 0; ///< ghosts included
  /// DoFs of the coarsest level of multigrid where the backend keeps its full inverse; else 0.
  std::size_t n_inverted_dofs = 0;
  /// The same with Galerkin's operators, which may end before background levels.
  std::size_t n_inverted_galerkin_dofs = 0;
  /// Of the background levels of multigrid, all of them together; 0 where the levels are those of refinement.
  std::size_t n_background_elements = 0;
  std::size_t n_background_nodes    = 0;
  std::size_t n_stiffness_shares    = 0;     ///< see StiffnessShares
  std::size_t n_placed_nodes        = 0;     ///< see NodePlaces
  bool is_flat                      = false; ///< all coarser levels are background
  /// Of the arrays between levels with the ghosts of other ranks; 0 on one rank.
  std::size_t n_transfer_elements = 0;
  std::size_t n_transfer_nodes    = 0;
  /// Of the first level of multigrid that each of several ranks has as a whole, of all ranks; 0: there is none.
  std::size_t n_gathered_elements = 0;
  std::size_t n_gathered_nodes    = 0;
  unsigned int n_own_levels       = 0; ///< then: the finest, those before that one, and that one
  std::size_t n_pattern_words     = 0; ///< between levels: see NodeLists
  std::size_t n_exchanged = 0; ///< numbers that multigrid gives to other ranks: see HaloExchange
  std::size_t n_summed    = 0; ///< those that it adds up with other ranks: see HaloSum
  bool has_lame = false;       ///< elements have Lame's parameters of their own: see LameOperator
  unsigned int n_tangent_points =
    0; ///< tangents of an element on the finest level: see TangentElements
  double more_slots_per_element =
    0.; ///< of patches, than estimates suppose; below 0: fewer (Strategy::bytes_of_slot)
  std::size_t n_mean_values = 0;     ///< conditions of MeanValues, over all ranks
  bool has_springs          = false; ///< of the mesh, on some rank
  bool has_shift =
    false; ///< levels of multigrid have those, or what holds the motions that mean values prevent
  /// Of those levels of multigrid whose products take a vector even by an operator that can subtract them: with dependent DoFs, or
  /// with a shift, which takes another one.
  std::size_t n_product_nodes      = 0;
  std::size_t n_dependent_dofs     = 0;     ///< of all levels
  std::size_t n_own_dependent_dofs = 0;     ///< of the mesh itself, those of conditions among them
  bool has_similar_elements        = false; ///< all elements are copies of one: see Strategy
};

/// Bytes that objects will keep on the backend, per rank, before anything is allocated. Next to what
/// makes an object there is a function that adds its part; MemoryPlanTest compares them with the memory in use.
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
