// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/transport.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Sums the contributions of all ranks at the nodes that they share, in one exchange. Every rank
/// sends its part to all ranks that have the node, and each adds the parts in ascending order of
/// the ranks. So all copies of a node get the same bits, in every run with as many ranks.
///
/// HaloExchange needs two exchanges for this: to the owners, and back to the ghosts.
template <typename Number>
class HaloSum
{
public:
  /// The values to which the parts are added.
  enum class To
  {
    nothing,
    shared_values ///< values that are equal on all ranks: set_aside() before the parts are computed
  };

  /// Collective.
  ///
  /// @param n_components  numbers per node, stored together
  HaloSum(Backend &backend,
          const Communicator &communicator,
          const HaloPattern &pattern,
          unsigned int n_components,
          To to = To::nothing);

  /// Keeps the values at shared nodes for the next add(), and leaves zeros for the part of this
  /// rank.
  void set_aside(Array<Number> &values);

  /// Replaces each value, on owned nodes and on ghosts, by the sum over all ranks that have the
  /// node. Collective among these.
  void add(Array<Number> &values);

private:
  struct Neighbour
  {
    int rank          = 0;
    std::size_t begin = 0; ///< first of its entries in sent_ and in received_
    std::size_t n     = 0;
  };

  Backend &backend_;
  Transport &transport_;
  std::vector<Neighbour> neighbours_;
  Array<std::uint32_t> sent_entries_; ///< entries of the vector, neighbour by neighbour
  Array<Number> sent_;
  Array<Number> received_; ///< received values, then those set aside
  std::size_t aside_ = 0;  ///< start of the values set aside
  /// Sparse sum of the parts. Entry k of `shared_` is the sum over the places
  /// `offsets_[k] <= j < offsets_[k + 1]`: see VectorOperations::sum_rows.
  Array<std::uint32_t> shared_, offsets_, places_;
};
} // namespace strut
