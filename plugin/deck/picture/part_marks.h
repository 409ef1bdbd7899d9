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

#include "source/surface/triangle_mesh.h"

namespace strut::plugin
{
/// The supports and loads of a structure, thinned out to be drawn on its part.
struct PartMarks
{
  /// Nodes that are held alike.
  struct Supports
  {
    std::string name;
    std::size_t n_nodes = 0;   ///< of all ranks
    std::vector<Point> places; ///< of some of them
  };

  /// A sum of forces of neighbouring nodes, at the mean of their places, weighted by the size of the forces.
  struct Arrow
  {
    Point place;
    Point force;
    bool is_weight = false; ///< of all elements, at the centre of gravity: seen through the body
  };

  struct Loads
  {
    std::string name; ///< of the load case
    std::vector<Arrow> arrows;
  };

  Point low{}, high{}; ///< the box around the mesh
  std::vector<Supports> supports;
  std::vector<Loads> loads;
};

/// Collective. @return the same on every rank
PartMarks marks_on_part(const Communicator &communicator,
                        const ElementMesh &mesh,
                        const std::vector<const LoadCase *> &load_cases);
} // namespace strut::plugin
