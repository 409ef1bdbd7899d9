// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// Numbers of nodes over all ranks: the owned nodes of each rank follow those of the previous one.
/// Each node has one number, also where ranks meet.
class GlobalNodeNumbers
{
public:
  /// Collective.
  GlobalNodeNumbers(MPI_Comm communicator, const ElementMesh &mesh);

  std::uint64_t operator()(const LocalIndex node) const
  {
    return node < n_owned_ ? first_ + node : ghosts_[node - n_owned_];
  }

  /// Numbers of nodes and elements of all ranks.
  std::uint64_t n_nodes() const
  {
    return n_nodes_;
  }
  std::uint64_t n_elements() const
  {
    return n_elements_;
  }

private:
  std::size_t n_owned_      = 0;
  std::uint64_t first_      = 0; ///< number of this rank's first node
  std::uint64_t n_nodes_    = 0;
  std::uint64_t n_elements_ = 0;
  std::vector<std::uint64_t> ghosts_;
};
} // namespace strut
