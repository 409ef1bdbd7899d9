// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
class Backend;
class LoadNodes;

/// A part of a design of which the elements are connected by faces.
struct DesignPiece
{
  /// From this density on an element counts.
  static constexpr double least_density = 0.5;

  std::size_t n_elements = 0;
  double volume          = 0.; ///< of its elements
  bool has_load          = false;
  bool has_support       = false;
  bool is_held           = false; ///< against the loads on it, see parts_load_from_supports()

  /// It carries a load to what holds it.
  bool joins() const
  {
    return has_load && is_held;
  }
};

/// The elements of a design that may change.
struct DesignElements
{
  std::size_t n = 0;
  double least = 1., most = 0.; ///< of their densities
};

/// Over all ranks. Collective.
DesignElements measure_design_elements(const Communicator &communicator,
                                       const ElementMesh &mesh,
                                       const std::vector<double> &densities);

/// The pieces of a design over all ranks, the largest first. Time is linear in the number of
/// elements. Collective.
/// @param densities  `[n_elements]`
/// @param nodes  with loads and supports
/// @param weighs  every element has a load
std::vector<DesignPiece> find_design_pieces(Backend &backend,
                                            const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<double> &densities,
                                            const LoadNodes &nodes,
                                            bool weighs);

/// Whether a node with a load has material around it, none of which is in a piece that is held: by
/// LoadNodes::suffice(), or by planes of symmetry along all loads on it. Edges and vertices that
/// pieces share are hinges, which no printed part has. A weight is no such load. Collective.
/// @param least_density  from here on an element counts
bool parts_load_from_supports(Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const std::vector<double> &densities,
                              const LoadNodes &nodes,
                              double least_density);
} // namespace strut
