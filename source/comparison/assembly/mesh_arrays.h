// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"

#include <strut/base/array.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
// Matrix generation takes meshes of every element type. It reads their numbers of nodes and
// elements, type, connectivity, coordinates and constrained_dofs; the sparsity pattern depends on
// the connectivity alone.

/// Checks the connectivity of a mesh, whose type may also be none of the list, with any number of
/// nodes.
///
/// @throws Error for a wrong size, nodes that do not exist, elements that have a node twice,
///   and more pairs of element and node than LocalIndex counts
void check_connectivity(const ElementMesh &mesh);

/// Checks what generation reads of a mesh, including its connectivity.
///
/// @throws Error also if the coordinates have the wrong size, or a constrained DoF does not exist
void check(const ElementMesh &mesh);

/// The connectivity of a mesh in the memory of a backend.
struct ConnectivityArrays
{
  /// Checks and copies the connectivity.
  ///
  /// @throws Error as check_connectivity()
  ConnectivityArrays(Memory &memory, const ElementMesh &mesh);

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

/// A mesh in the memory of a backend, for stage 3.
struct MeshArrays
{
  /// @throws Error as check()
  MeshArrays(Memory &memory, const ElementMesh &mesh);

  ElementType type;
  ConnectivityArrays connectivity;
  Array<double> coordinates;          ///< `[3][n_nodes]`
  Array<LocalIndex> constrained_dofs; ///< ascending
  Array<std::uint8_t> constrained;    ///< `[n_nodes]`: bit c is set if component c is constrained
};
} // namespace strut
