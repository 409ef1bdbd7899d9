// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace strut::plugin
{
struct MeshSets;

/// Where an element is in the coarse cell that it was refined from: its vertex 0 in units of its edge,
/// and how many elements there are along an edge of the cell.
struct PlaceInCoarseCell
{
  std::uint32_t cell = 0;
  std::array<unsigned int, 3> at{};
  unsigned int n = 1;
};

/// The coarse cells of a mesh, in the order of its file or generator: of what they are, and where their
/// faces are.
struct CoarseCells
{
  static constexpr std::uint32_t interior = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> materials; ///< material ids
  std::vector<std::array<std::uint32_t, 6>>
    boundaries; ///< boundary ids of the faces, or `interior`
};

/// A number of each element that every partition of the mesh gives it: the coarse cell, then the child taken on
/// each level, three bits each.
class CellKeys
{
public:
  CellKeys() = default;

  /// @param coarse_cells  in the order of the elements
  /// @param first  the number of this rank's first element among those of all ranks
  CellKeys(std::vector<std::uint32_t> coarse_cells,
           const unsigned int n_refinements,
           const std::uint64_t first)
    : coarse_cells_(std::move(coarse_cells)), n_bits_(3 * n_refinements), first_(first)
  {}

  std::uint32_t coarse_cell(const std::size_t e) const
  {
    return coarse_cells_[(first_ + e) >> n_bits_];
  }
  std::uint64_t operator[](const std::size_t e) const
  {
    const std::uint64_t children = (first_ + e) & ((std::uint64_t(1) << n_bits_) - 1);
    return std::uint64_t(coarse_cell(e)) << n_bits_ | children;
  }

private:
  std::vector<std::uint32_t> coarse_cells_;
  unsigned int n_bits_ = 0;
  std::uint64_t first_ = 0;
};

/// The mesh of a deck: the flat arrays of this rank's elements, and for each of them its place in the
/// coarse mesh, which every rank has whole and which knows materials and boundaries.
class DeckMesh
{
public:
  /// A face of an element.
  struct Face
  {
    LocalIndex element  = 0;
    std::uint8_t number = 0; ///< in deal.II's order: x = 0, x = 1, y = 0, ...
  };

  DeckMesh() = default;

  /// @param n_refinements  from the coarse cells to the elements
  /// @param sets  of the mesh file, may be null; used here only
  DeckMesh(ElementMesh mesh,
           CoarseCells coarse,
           CellKeys keys,
           unsigned int n_refinements,
           const MeshSets *sets);

  /// The flat arrays.
  ElementMesh elements;

  const CoarseCells &coarse() const
  {
    return coarse_;
  }

  /// From the coarse cells to the elements.
  unsigned int n_refinements() const
  {
    return n_refinements_;
  }

  const CellKeys &keys() const
  {
    return keys_;
  }
  std::uint32_t coarse_cell(const std::size_t e) const
  {
    return keys_.coarse_cell(e);
  }
  PlaceInCoarseCell place(std::size_t e) const;

  std::uint32_t material_id(const std::size_t e) const
  {
    return coarse_.materials[coarse_cell(e)];
  }

  /// Whether face f of an element is a part of face f of its coarse cell.
  bool is_on_coarse_face(std::size_t e, unsigned int f) const;
  bool at_boundary(std::size_t e, unsigned int f) const;
  /// Of a face at the boundary; CoarseCells::interior elsewhere.
  std::uint32_t boundary_id(std::size_t e, unsigned int f) const;

  /// The faces at the boundary and those inside of the mesh that the mesh file names, by element.
  const std::vector<Face> &named_faces() const
  {
    return named_faces_;
  }

  LocalIndex node(const std::size_t e, const unsigned int v) const
  {
    return elements.connectivity[v * elements.n_elements + e];
  }
  dealii::Point<3> location(std::size_t node) const;
  dealii::Point<3> vertex(const std::size_t e, const unsigned int v) const
  {
    return location(node(e, v));
  }
  /// Mean of the vertices.
  dealii::Point<3> centre(std::size_t e) const;
  dealii::Point<3> face_centre(const Face &face) const;

  /// Vertex k of face f of an element, at (k & 1, k >> 1) of the face. Its first coordinate is the one
  /// after the normal's, cyclically: first times second points along x, y or z of the element.
  static unsigned int face_vertex(unsigned int f, unsigned int k);

private:
  CoarseCells coarse_;
  CellKeys keys_;
  unsigned int n_refinements_ = 0;
  std::vector<Face> named_faces_;
};
} // namespace strut::plugin
