// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/halo_pattern.h>

#include <vector>

namespace strut
{
/// Moves the values of nodes or elements between their owner and the ranks that hold them as ghosts.
/// Written once: packs and unpacks on the backend, sends from host memory.
template <typename Number>
class HaloExchange
{
public:
  /// @param n_components  numbers per entity, stored together
  HaloExchange(Backend &backend,
               const Communicator &communicator,
               const HaloPattern &pattern,
               unsigned int n_components);

  /// Give every ghost the value of its owner. Collective among neighbours.
  void update_ghosts(Array<Number> &values);

  /// Add every ghost's value to its owner's, neighbours in ascending order (so the sum is the same
  /// bits in every run); the ghosts keep their values.
  void add_to_owners(Array<Number> &values);

private:
  struct Neighbour
  {
    int rank = 0;
    Array<std::uint32_t> send; ///< entries of owned entities
    Array<Number> packed;      ///< their values, on the backend
    std::vector<Number> owned_side;
    std::vector<Number> ghost_side;
    std::size_t ghosts_begin = 0; ///< first entry of our ghosts
  };

  /// Exchange the host buffers: from owners to ghosts, or back.
  void exchange(bool to_ghosts);

  Backend &backend_;
  Communicator communicator_;
  std::vector<Neighbour> neighbours_;
};
} // namespace strut
