// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/reference_element.h"

#include <strut/base/array.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The nodes of each element, which determine the sparsity pattern of a matrix. All elements are of
/// one kind, with any number of nodes.
struct Connectivity
{
  std::size_t n_nodes    = 0;
  std::size_t n_elements = 0;
  int nodes_per_element  = 0;

  std::vector<LocalIndex> nodes; ///< `[nodes_per_element][n_elements]`

  LocalIndex node(const std::size_t element, const int local) const
  {
    return nodes[static_cast<std::size_t>(local) * n_elements + element];
  }
};

/// A mesh for the generation of stiffness matrices: elements of one type in three dimensions.
struct AssemblyMesh
{
  ElementType element_type = ElementType::hex8;
  Connectivity connectivity;                ///< nodes in the order of the element type
  std::vector<double> coordinates;          ///< `[3][n_nodes]`, length units of the mesh
  std::vector<LocalIndex> constrained_dofs; ///< `3 * node + component`, ascending
};

/// The hexahedra of a rank, ghost nodes included, and its constrained DoFs.
AssemblyMesh assembly_mesh(const ElementMesh &mesh);

/// Checks a connectivity.
///
/// @throws Error if an array has the wrong size, if a node does not exist, if an element has a node
///   twice (a collapsed element), or if `n_elements * nodes_per_element` exceeds the range of
///   LocalIndex
void check(const Connectivity &connectivity);

/// Checks a mesh, including its connectivity.
///
/// @throws Error also if the element type has another number of nodes, or a constrained DoF does
///   not exist
void check(const AssemblyMesh &mesh);

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
