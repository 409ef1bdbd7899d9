// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/connectivity.h"

#include <strut/base/array.h>

#include <cstdint>

namespace strut
{
/// A Connectivity in the memory of a backend.
struct ConnectivityArrays
{
  /// Checks and copies the connectivity.
  ///
  /// @throws Error as check()
  ConnectivityArrays(Memory &memory, const Connectivity &connectivity);

  std::size_t n_nodes;
  std::size_t n_elements;
  int nodes_per_element;
  Array<LocalIndex> nodes; ///< `[nodes_per_element][n_elements]`

  /// Number of pairs of an element and one of its nodes.
  std::size_t n_incidences() const
  {
    return static_cast<std::size_t>(nodes_per_element) * n_elements;
  }
};

/// An AssemblyMesh in the memory of a backend.
struct MeshArrays
{
  MeshArrays(Memory &memory, const AssemblyMesh &mesh);

  ElementType element_type;
  ConnectivityArrays connectivity;
  Array<double> coordinates;          ///< `[3][n_nodes]`
  Array<LocalIndex> constrained_dofs; ///< ascending
  Array<std::uint8_t> constrained;    ///< `[n_nodes]`: bit c is set if component c is constrained
};
} // namespace strut
