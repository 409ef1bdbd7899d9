// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/mesh/hierarchy.h>
#include <strut/parallel/halo_exchange.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// The interpolation between two levels, on the host; arrays as in NodeInterpolation.
struct InterpolationTables
{
  std::vector<std::uint32_t> places;
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> children_begin;
  std::vector<std::uint32_t> children;

  /// From the parent and the place of each fine element. Throws Error if there are more fine nodes or
  /// elements than the tables can number.
  ///
  /// @param fine  the finer mesh; its owned nodes get places
  static InterpolationTables
  build(const ElementMesh &fine, const LevelTransfer &transfer, int n_threads);
};

/// Trilinear interpolation P between two levels and its transpose, over all ranks. Knows no
/// constraints: the caller keeps constrained DoFs at zero on both sides.
template <typename Number>
class GridTransfer
{
public:
  GridTransfer(Backend &backend,
               const Communicator &communicator,
               const ElementMesh &fine,
               const CoarseLevel &coarse);

  /// fine = P coarse, on owned nodes.
  void prolongate(const Array<Number> &coarse, Array<Number> &fine);

  /// coarse = P^T fine, on owned nodes.
  void restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse);

private:
  Backend &backend_;
  std::size_t n_owned_coarse_; ///< DoFs
  NodeInterpolation interpolation_;
  bool has_ghosts_; ///< on some rank
  HaloExchange<Number> halo_;
  Array<Number> with_ghosts_; ///< a coarse vector in the layout of the transfer; only if needed
};

/// Means over the children of each element, over all ranks.
class ChildrenMean
{
public:
  ChildrenMean(Backend &backend,
               const Communicator &communicator,
               const ElementMesh &fine,
               const CoarseLevel &coarse);

  /// coarse_e = mean of fine over the eight children of e.
  void apply(const Array<double> &fine, Array<double> &coarse);

private:
  Backend &backend_;
  std::size_t n_fine_;
  std::size_t n_coarse_;
  Array<std::uint32_t> children_;
  bool has_ghosts_;
  HaloExchange<double> halo_;
  Array<double> with_ghosts_;
};
} // namespace strut
