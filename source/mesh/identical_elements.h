// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// Computes the vertices of an element relative to its first, `X[d][v]`.
void shape_of(const ElementMesh &mesh, std::size_t e, double (&X)[3][8]);

/// An element that is no translated copy of element 0, and its first vertex that differs. Both are
/// 0 if there is none.
struct UnequalElement
{
  std::size_t element = 0;
  int vertex          = 0;
};

/// Finds the first element whose size, shape or orientation differs from that of element 0 by more
/// than 1e-10 of its size.
UnequalElement find_unequal_element(const ElementMesh &mesh);

/// Whether all elements are translated copies of element 0; false if there are none, or no
/// hexahedra of eight nodes. For a mesh of different elements it is faster than
/// find_unequal_element().
bool are_equal_elements(const ElementMesh &mesh);

/// Whether all elements are translated and scaled copies of element 0, to 1e-10 of their size;
/// false if there are none, or no hexahedra of eight nodes.
bool are_similar_elements(const ElementMesh &mesh);

/// The size of each element relative to element 0, if all are translated and scaled copies of it,
/// to 1e-10 of their size. An example is a mesh of cubes with local refinement. The stiffness
/// matrix scales by the same factor. The vector is empty if all have the same size. Returns nothing
/// if they are no such copies, if there are no elements, or no hexahedra of eight nodes.
std::optional<std::vector<double>> sizes_of_similar_elements(const ElementMesh &mesh);

/// Marks parallelepipeds, `[n_elements]`: 1 where the edges in each direction are equal up to
/// rounding, else 0, and 0 for all
/// elements that are no hexahedra of eight nodes.
std::vector<std::uint8_t> affine_elements(const ElementMesh &mesh);
} // namespace strut
