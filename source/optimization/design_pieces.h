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

/// A part of a design whose elements are connected by faces.
struct DesignPiece
{
  /// Least density of an element that counts.
  static constexpr double least_density = 0.5;

  std::size_t n_elements = 0;
  double volume          = 0.; ///< volume of its elements
  bool has_load          = false;
  bool has_support       = false;
  bool is_held           = false; ///< held against the loads on it, see parts_load_from_supports()

  /// Whether the piece carries a load to a support that holds it.
  bool joins() const
  {
    return has_load && is_held;
  }
};

/// The elements of a design that may change.
struct DesignElements
{
  std::size_t n = 0;
  double least = 1., most = 0.; ///< range of their densities
};

/// Measure the design elements of all ranks. Collective.
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

/// Whether some node with a load has material around it of which none is in a held piece. A piece
/// is held by LoadNodes::suffice(), or by planes of symmetry along all loads on it. Pieces that
/// share edges or vertices alone are hinged there, and no printed part has such hinges. Self weight
/// is not such a load. Collective.
/// @param least_density  least density of an element that counts
bool parts_load_from_supports(Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const std::vector<double> &densities,
                              const LoadNodes &nodes,
                              double least_density);

/// Returns the stiffness factors of a design's elements, with 0 for densities below
/// DesignPiece::least_density.
std::vector<double> stiffness_of_design(std::vector<double> stiffness,
                                        const std::vector<double> &densities,
                                        int n_threads);
} // namespace strut
