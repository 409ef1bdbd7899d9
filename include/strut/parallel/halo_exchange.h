// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
class Transport;

/// Transfers the values of nodes or elements between their owner and the ranks that hold them as
/// ghosts. It packs and adds on the backend. The backend's transport carries one message per
/// neighbour, with all components.
template <typename Number>
class HaloExchange
{
public:
  /// Collective.
  ///
  /// @param n_components  numbers per entity, stored together
  HaloExchange(Backend &backend,
               const Communicator &communicator,
               const HaloPattern &pattern,
               unsigned int n_components);

  /// Sets every ghost to the value of its owner. Collective among neighbours.
  void update_ghosts(Array<Number> &values);

  /// Adds every ghost's value to its owner's; the ghosts keep their values. Neighbours are added in
  /// ascending order, so that the sum is the same bits in every run.
  void add_to_owners(Array<Number> &values);

private:
  struct Neighbour
  {
    int rank                 = 0;
    std::size_t packed_begin = 0; ///< first of the packed entries that are ghosts on that rank
    std::size_t n_packed     = 0;
    std::size_t ghosts_begin = 0; ///< first entry of our ghosts
    std::size_t n_ghosts     = 0;
  };

  Backend &backend_;
  Transport &transport_;
  std::vector<Neighbour> neighbours_;
  Array<std::uint32_t> packed_entries_; ///< owned entries that are ghosts elsewhere, by neighbours
  Array<Number> packed_;                ///< values of the packed entries
  /// Sparse sum of received values. Entry k of `owned_` is the sum over the places
  /// `offsets_[k] <= j < offsets_[k + 1]` of packed_, after its own value
  /// (VectorOperations::sum_rows).
  Array<std::uint32_t> owned_, offsets_, places_;
};
} // namespace strut
