// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// The elements of a rank as cells of a lattice of its nodes, on the host. Names and layout are
/// those of FilterLattice.
struct LatticeCells
{
  /// Find the cells of a mesh whose elements are boxes of a lattice on every rank, each in a cell
  /// of its own. All boxes must have the same volume, and no node may hang; a rank may have no
  /// elements. Returns no value on every rank for other meshes. Collective.
  static std::optional<LatticeCells>
  find(const Communicator &communicator, const ElementMesh &mesh, int n_threads);

  /// int N_a of an element, length^3. Not for a rank without elements.
  double share() const
  {
    return spacing[0] * spacing[1] * spacing[2] / 8.;
  }

  /// Elements around a place: bit a is set if there is an element whose corner a is there.
  unsigned int elements_around(std::size_t at) const;

  std::array<std::int32_t, 3> n{};
  std::array<double, 3> spacing{};
  /// `[n2][n1][n0]`: the element in a cell, or FilterLattice::nothing.
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> place; ///< place of each node, `[n_nodes]`
};
} // namespace strut
