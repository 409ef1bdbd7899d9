// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/parallel/halo_exchange.h>

#include <strut/backend/backend.h>
#include <strut/mesh/hierarchy.h>

#include <cstdint>
#include <memory>

namespace strut
{
/// Trilinear interpolation P between two levels and its transpose, over all ranks. It knows no
/// constraints: the caller keeps constrained DoFs at zero on both sides. It reads owned nodes, and
/// gives ghosts the values of their owners.
template <typename Number>
class GridTransfer
{
public:
  virtual ~GridTransfer() = default;

  /// Compute fine = P coarse, and zero for held components of nodes.
  /// @param held  bit c is set if component c is held; empty if none is
  virtual void
  prolongate(const Array<Number> &coarse, const Array<std::uint8_t> &held, Array<Number> &fine) = 0;
  void prolongate(const Array<Number> &coarse, Array<Number> &fine)
  {
    prolongate(coarse, Array<std::uint8_t>(), fine);
  }

  /// Compute coarse = P^T fine. Ghosts get values only where the transfer was made for them.
  virtual void restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse) = 0;
};

/// Makes the grid transfer of a coarse level.
/// @param to_coarse_ghosts  whether restriction gives ghosts their values. This takes one more
///   exchange, which a level that is solved directly does not need.
template <typename Number>
std::unique_ptr<GridTransfer<Number>> make_grid_transfer(Backend &backend,
                                                         const Communicator &communicator,
                                                         const ElementMesh &fine,
                                                         const CoarseLevel &coarse,
                                                         bool to_coarse_ghosts = true);

/// The stiffness that coarse elements get from the finer ones, over all ranks: the mean of the
/// eight children, shares (StiffnessShares), or that of the same element on a linear level.
class CoarseStiffness
{
public:
  virtual ~CoarseStiffness() = default;

  virtual void apply(const Array<double> &fine, Array<double> &coarse) = 0;
};

/// Makes the coarse stiffness of a coarse level.
std::unique_ptr<CoarseStiffness> make_coarse_stiffness(Backend &backend,
                                                       const Communicator &communicator,
                                                       const ElementMesh &fine,
                                                       const CoarseLevel &coarse);
} // namespace strut
