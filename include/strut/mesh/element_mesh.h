// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace strut
{
/// A local index on one rank: of a node, or of the degree of freedom
/// `n_components * node + component`.
using LocalIndex = std::uint32_t;

/// Whether the optimizer may change the density of an element.
enum class DesignFlag : std::uint8_t
{
  design = 0, ///< free density
  solid  = 1, ///< density stays 1
  empty  = 2  ///< density stays at its minimum
};

/// Degrees of freedom of this rank that depend on others: hanging nodes, periodicity, no normal
/// flux.
///
///     u_(dofs_k) = sum_j weights_j u_(masters_j) + values_k,   offsets_k <= j < offsets_(k+1)
///
/// There is one row for each dependent DoF of the elements of this rank, on owned nodes and on
/// ghosts, ascending. No master is constrained itself. Masters are owned or ghosts; distant masters
/// are nodes that belong to no element of this rank.
struct AffineRows
{
  std::vector<std::uint32_t> dofs;
  std::vector<std::uint32_t> offsets; ///< `[n_rows + 1]`; empty without rows
  std::vector<std::uint32_t> masters;
  std::vector<double> weights;
  std::vector<double> values; ///< `[n_rows]`; the values of ghosts are ignored

  bool empty() const
  {
    return dofs.empty();
  }
};

/// The entities (nodes, elements) that a rank exchanges with other ranks. Local numbering has owned
/// entities first, then the ghosts, grouped by owner in the order of `neighbours`.
struct HaloPattern
{
  struct Neighbour
  {
    int rank = 0;
    std::vector<std::uint32_t> send; ///< owned entities that are ghosts on that rank
    std::uint32_t ghosts_begin = 0;  ///< first of our ghosts owned by that rank
    std::uint32_t ghosts_end   = 0;  ///< one past the last
  };

  std::vector<Neighbour> neighbours; ///< ascending rank
};

/// The type of the elements of a mesh. Its nodes are numbered as in deal.II: vertices, then
/// midpoints of the lines, centres of the faces, and the centre. The types that strut knows are in
/// source/element/elements.h.
struct ElementType
{
  const char *name        = "hex8"; ///< name, of which there are hex8, hex20, hex27, tet4, tet10
  unsigned int n_nodes    = 8;
  unsigned int n_vertices = 8; ///< the first nodes

  bool operator==(const ElementType &other) const
  {
    return std::strcmp(name, other.name) == 0;
  }
  bool operator!=(const ElementType &other) const
  {
    return !(*this == other);
  }
};

/// A plane of mirror symmetry, `x_normal = value`: the body continues behind it as the mirror image
/// of the mesh. The mesh is on one side of it.
struct SymmetryPlane
{
  unsigned int normal = 0; ///< 0, 1, 2: x, y, z
  double value        = 0; ///< length units of the mesh
};

/// The mesh for the operators: flat arrays of one rank. Applications make it from deal.II's mesh,
/// decks from a MacroMesh of the core.
///
/// Nodes: the owned ones first, then the ghosts (nodes of our elements that another rank owns).
/// Every node belongs to some element of this rank, except for ghosts that AffineRows need;
/// operators may leave those unchanged.
///
/// Elements: those that this rank owns, of one type, along a space-filling curve. Vertices of
/// hexahedra are in deal.II's lexicographic order: vertex `v` sits at `(v & 1, v >> 1 & 1, v >> 2)`
/// of the unit cube.
///
/// A rank may have no elements.
struct ElementMesh
{
  std::size_t n_owned_nodes = 0;
  std::size_t n_nodes       = 0; ///< owned + ghosts
  std::size_t n_elements    = 0;

  ElementType type;

  /// Components of the solution at a node: 3 for displacements, or 1 for a scalar such as a
  /// temperature. The operator with one component is the Laplacian; see ElementOperator.
  unsigned int n_components = 3;

  std::vector<double> coordinates;      ///< `[3][n_nodes]`, length units of the mesh
  std::vector<LocalIndex> connectivity; ///< `[type.n_nodes][n_elements]`, node numbers
  std::vector<double> volumes;          ///< `[n_elements]`
  std::vector<DesignFlag> flags;        ///< `[n_elements]`

  /// Prescribed values of the solution, on owned nodes and on ghosts: ascending DoFs, and the value
  /// of each.
  std::vector<LocalIndex> constrained_dofs;
  std::vector<double> constrained_values;

  /// Springs to the ground: ascending owned DoFs, and their stiffness, force per length.
  std::vector<LocalIndex> spring_dofs  = {};
  std::vector<double> spring_stiffness = {};

  /// Degrees of freedom that depend on others; none of them is in constrained_dofs.
  AffineRows dependent;

  /// Planes of mirror symmetry for means over neighbours, the same on every rank. They constrain no
  /// displacement; constrained_dofs does.
  std::vector<SymmetryPlane> symmetry_planes;

  /// The nodes that this rank exchanges with each other rank.
  HaloPattern node_halo;

  /// The map back to deal.II. It has for each element the index of its cell among the locally owned
  /// active cells (in the order of the iterator), and for each DoF its global index. Empty for
  /// meshes that were not made by deal.II.
  std::vector<LocalIndex> element_to_cell; ///< `[n_elements]`
  std::vector<std::uint64_t> dof_indices;  ///< `[n_dofs]`

  /// The mean of the vertices of an element.
  std::array<double, 3> centre(const std::size_t element) const
  {
    std::array<double, 3> mean{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t v = 0; v < type.n_vertices; ++v)
        mean[d] += coordinates[d * n_nodes + node(element, v)] / type.n_vertices;
    return mean;
  }

  LocalIndex node(const std::size_t element, const std::size_t local) const
  {
    return connectivity[local * n_elements + element];
  }

  std::size_t n_dofs() const
  {
    return n_components * n_nodes;
  }
  std::size_t n_owned_dofs() const
  {
    return n_components * n_owned_nodes;
  }
};
} // namespace strut
