// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/mesh/hierarchy.h>
#include <strut/parallel/halo_exchange.h>

#include <cstdint>
#include <memory>

namespace strut
{
/// Trilinear interpolation P between two levels and its transpose, over all ranks. Knows no
/// constraints: the caller keeps constrained DoFs at zero on both sides. It looks at owned nodes,
/// and gives ghosts the values of their owners.
template <typename Number>
class GridTransfer
{
public:
  virtual ~GridTransfer() = default;

  /// fine = P coarse, and zero for components of nodes that are held (bit c of `held`; empty:
  /// none).
  virtual void
  prolongate(const Array<Number> &coarse, const Array<std::uint8_t> &held, Array<Number> &fine) = 0;
  void prolongate(const Array<Number> &coarse, Array<Number> &fine)
  {
    prolongate(coarse, Array<std::uint8_t>(), fine);
  }

  /// coarse = P^T fine; ghosts only where the transfer was made for them.
  virtual void restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse) = 0;
};

/// That of a coarse level.
/// @param to_coarse_ghosts  whether restriction gives these their values, too: one more exchange,
/// which a level that is solved directly does not need
template <typename Number>
std::unique_ptr<GridTransfer<Number>> make_grid_transfer(Backend &backend,
                                                         const Communicator &communicator,
                                                         const ElementMesh &fine,
                                                         const CoarseLevel &coarse,
                                                         bool to_coarse_ghosts = true);

/// The stiffness that coarse elements get from the finer ones, over all ranks: the mean of the
/// eight children, or shares (StiffnessShares).
class CoarseStiffness
{
public:
  virtual ~CoarseStiffness() = default;

  virtual void apply(const Array<double> &fine, Array<double> &coarse) = 0;
};

/// That of a coarse level.
std::unique_ptr<CoarseStiffness> make_coarse_stiffness(Backend &backend,
                                                       const Communicator &communicator,
                                                       const ElementMesh &fine,
                                                       const CoarseLevel &coarse);
} // namespace strut
