// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "source/surface/axis_box.h"

namespace strut
{
/// The supports and loads of a structure, reduced in number for drawing on its part.
struct PartMarks
{
  /// Nodes with the same support.
  struct Supports
  {
    std::string name;
    std::size_t n_nodes = 0;   ///< number over all ranks
    std::vector<Point> places; ///< places of some of the nodes
  };

  /// A sum of forces of neighbouring nodes. Its place is the mean of their places, weighted by the
  /// size of the forces.
  struct Arrow
  {
    Point place;
    Point force;
    /// Whether it is the weight of all elements at the centre of gravity, visible through the body.
    bool is_weight = false;
  };

  struct Loads
  {
    std::string name; ///< name of the load case
    std::vector<Arrow> arrows;
  };

  AxisBox box{Point{}, Point{}}; ///< box around the mesh
  std::vector<Supports> supports;
  std::vector<Loads> loads;
};

/// Selects the places of some of the nodes of all ranks. Collective.
/// @param nodes  owned by this rank
PartMarks::Supports some_places(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::string &name,
                                const std::vector<std::size_t> &nodes);

/// Makes the marks, the same on every rank. Collective.
PartMarks marks_on_part(const Communicator &communicator,
                        const ElementMesh &mesh,
                        const std::vector<const LoadCase *> &load_cases);
} // namespace strut
