// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/parallel/halo_exchange.h"

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <vector>

namespace strut
{
/// HaloExchange for nodes whose values are at places of a lattice. It goes by way of an array of
/// the values that other ranks have as well.
class LatticeHalo
{
public:
  /// Collective.
  /// @param place  place of each node
  LatticeHalo(Backend &backend,
              const Communicator &communicator,
              const ElementMesh &mesh,
              const std::vector<std::uint32_t> &place)
    : LatticeHalo(backend, communicator, mesh, place, shared_nodes(mesh))
  {}

  void update_ghosts(Array<double> &at_places)
  {
    exchange(at_places, &HaloExchange<double>::update_ghosts);
  }
  void add_to_owners(Array<double> &at_places)
  {
    exchange(at_places, &HaloExchange<double>::add_to_owners);
  }

private:
  LatticeHalo(Backend &backend,
              const Communicator &communicator,
              const ElementMesh &mesh,
              const std::vector<std::uint32_t> &place,
              const std::vector<std::uint32_t> &owned)
    : backend_(backend)
    , is_alone_(communicator.size() == 1)
    , halo_(backend, communicator, renumbered(mesh, owned), 1)
  {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t node : owned)
      places.push_back(place[node]);
    places.insert(places.end(),
                  place.begin() + static_cast<std::ptrdiff_t>(mesh.n_owned_nodes),
                  place.end());
    places_ = Array<std::uint32_t>(backend.memory(), places);
    values_ = Array<double>(backend.memory(), places.size());
  }

  /// Owned nodes that other ranks have as well, ascending.
  static std::vector<std::uint32_t> shared_nodes(const ElementMesh &mesh)
  {
    std::vector<std::uint32_t> nodes;
    for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
      nodes.insert(nodes.end(), neighbour.send.begin(), neighbour.send.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  /// The halo pattern of an array of the shared nodes and the ghosts.
  static HaloPattern renumbered(const ElementMesh &mesh, const std::vector<std::uint32_t> &owned)
  {
    HaloPattern pattern = mesh.node_halo;
    for (HaloPattern::Neighbour &neighbour : pattern.neighbours)
      {
        for (std::uint32_t &node : neighbour.send)
          node = static_cast<std::uint32_t>(std::lower_bound(owned.begin(), owned.end(), node) -
                                            owned.begin());
        const auto shift = static_cast<std::uint32_t>(mesh.n_owned_nodes - owned.size());
        neighbour.ghosts_begin -= shift;
        neighbour.ghosts_end -= shift;
      }
    return pattern;
  }

  void exchange(Array<double> &at_places, void (HaloExchange<double>::*way)(Array<double> &))
  {
    if (is_alone_)
      return;
    const auto &vectors = backend_.vector_operations<double>();
    vectors.gather(places_, at_places, values_);
    (halo_.*way)(values_);
    vectors.scatter(places_, values_, at_places);
  }

  Backend &backend_;
  bool is_alone_;
  HaloExchange<double> halo_;
  Array<std::uint32_t> places_;
  Array<double> values_;
};
} // namespace strut
