// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "source/mesh/macro_mesh.h"

namespace strut
{
/// Global names of the nodes of a refined macro mesh, which every rank computes without
/// communication. The name is `8 e + v` for the first element e that has the node, as its vertex v.
/// Elements are in the order of refine(). So the order of the names is that of the first touch, and
/// the rank of the first element owns the node.
class MacroNodes
{
public:
  /// @param macro, order  must live as long as the object
  MacroNodes(const MacroMesh &macro,
             const std::vector<std::uint32_t> &order,
             unsigned int n_refinements);

  /// The name of vertex v of an element.
  std::uint64_t name(std::uint64_t element, unsigned int v) const;

  /// Whether no vertex of an element is at the boundary of its macro cell. Such an element is the
  /// first one only at its vertex 7.
  bool is_inside(const std::uint64_t element) const
  {
    const std::uint64_t in_cell = (std::uint64_t(1) << (3 * n_refinements_)) - 1;
    for (unsigned int d = 0; d < 3; ++d)
      {
        const std::uint64_t bits = every_third_bit << d & in_cell, at = element & bits;
        if (at == 0 || at == bits)
          return false;
      }
    return true;
  }

  /// The names of all vertices of an element. For nodes inside of a macro cell, which are most, it
  /// takes a few operations.
  std::array<std::uint64_t, 8> names(std::uint64_t element) const;

private:
  using At = std::array<std::uint32_t, 3>;

  /// The mask of one coordinate: those of an element in its macro cell are every third bit of its
  /// number.
  static constexpr std::uint64_t every_third_bit = 0x1249249249249249;

  /// The first macro cell of an edge or a face, by its position in the order, and the number of the
  /// edge or face in that cell.
  struct First
  {
    std::uint32_t position;
    std::uint8_t number;
  };

  std::uint64_t name_in(std::uint32_t position, const At &at) const;
  /// Transforms a point to the frame of the first cell of the edge or face.
  At along_edge(const MacroMesh::Cell &from,
                const At &at,
                unsigned int direction,
                std::uint32_t &position) const;
  At on_face(const MacroMesh::Cell &from,
             const At &at,
             unsigned int number,
             std::uint32_t &position) const;

  const MacroMesh &macro_;
  const std::vector<std::uint32_t> &order_;
  unsigned int n_refinements_;
  std::uint32_t n_; ///< elements along an edge
  std::vector<First> of_vertices_, of_edges_, of_faces_;
};
} // namespace strut
