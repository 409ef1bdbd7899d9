// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// The nodes of a rank with loads and with supports. A node with a prescribed displacement has
/// both.
class LoadNodes
{
public:
  /// Collective.
  /// @param mirrors  `[n_nodes]` or empty, as in DesignContext: a plane of symmetry holds no load,
  ///   unless there is no other support
  LoadNodes(const Communicator &communicator,
            const ElementMesh &mesh,
            const std::vector<std::uint8_t> &mirrors);

  void add(const LoadCase &load_case);

  /// Owned nodes with loads, ascending.
  std::vector<LocalIndex> loaded() const;
  const std::vector<LocalIndex> &held() const
  {
    return held_;
  }

  /// Support of a part: the bits of its nodes, combined by or. Bit d stands for a plane of symmetry
  /// with the normal d, bit 3 for a support.
  using Holds                    = std::uint8_t;
  static constexpr Holds support = 8;
  /// Whether a part is held: by a support, or by three planes. Displacements that are prescribed
  /// and not zero count as loads, and hold nothing. Without any support each plane counts as one;
  /// without planes too, the prescribed displacements do.
  static bool suffice(const Holds holds)
  {
    return (holds & support) != 0 || (holds & 7) == 7;
  }
  /// Supports of each node, `[n_nodes]`.
  const std::vector<Holds> &holds() const
  {
    return holds_;
  }

  /// Directions of loads on owned nodes and ghosts, `[n_nodes]`: bit d is set where a load acts
  /// along d. Collective.
  std::vector<std::uint8_t> directions(Backend &backend, const Communicator &communicator) const;

  /// Marks elements around nodes with a load or, if asked for, with a support: `[n_elements]`, 1 or
  /// 0. Collective.
  std::vector<std::uint8_t>
  elements(Backend &backend, const Communicator &communicator, bool and_at_supports) const;

private:
  void add_component(std::size_t dof);

  const ElementMesh &mesh_;
  std::vector<std::uint8_t> loads_; ///< `[n_owned_nodes]`: bit d is set where a load acts along d
  std::vector<bool> is_held_;       ///< `[n_dofs]`
  std::vector<LocalIndex> held_;
  std::vector<Holds> holds_;
};
} // namespace strut
