// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "source/mesh/macro_mesh.h"

namespace strut
{
class MacroNumbering;

/// Part of a uniformly refined macro mesh on this rank: a range of the elements in the order of
/// strut::refine(), and the ranges of their parents on each level. A rank makes its own elements,
/// and knows the keys and owners of their nodes by itself. Ranks ask each other for node numbers
/// only.
class MacroMeshPart
{
public:
  /// @param macro  the whole mesh, on every rank
  /// @param order  order of its cells
  MacroMeshPart(MacroMesh macro,
                std::vector<std::uint32_t> order,
                unsigned int n_refinements,
                MPI_Comm communicator);

  /// Number of this rank's first element among those of all ranks.
  std::uint64_t first_element() const
  {
    return begins_.front()[rank_];
  }

  /// The elements of this rank as refine() makes them, with ghosts. Collective.
  /// @throws Error if this rank has too many elements for their numbers
  ElementMesh mesh(int n_threads) const;

  /// The coarser meshes from which refinement made mesh(). Collective.
  /// @param fine  result of mesh(), with its constraints
  MeshHierarchy hierarchy(const ElementMesh &fine, int n_threads) const;

private:
  /// The range of this rank on a level; level 0 is the finest.
  std::pair<std::uint64_t, std::uint64_t> range(unsigned int level) const
  {
    return {begins_[level][rank_], begins_[level][rank_ + 1]};
  }
  unsigned int owner(unsigned int level, std::uint64_t element) const;

  /// Asks the owners of some nodes or elements, ascending, for their numbers.
  template <typename OfElement, typename NumberOf>
  HaloPattern ask(unsigned int level,
                  const std::vector<std::uint64_t> &wanted,
                  std::size_t n_before,
                  const OfElement &element_of,
                  const NumberOf &number_of) const;

  ElementMesh make_level(unsigned int level, MacroNumbering &numbering, int n_threads) const;
  MacroMesh own_cells(unsigned int level) const;

  MacroMesh macro_;
  std::vector<std::uint32_t> order_;
  unsigned int n_refinements_;
  MPI_Comm communicator_;
  std::size_t rank_;
  /// First element of each rank, by level.
  std::vector<std::vector<std::uint64_t>> begins_;
};
} // namespace strut
