// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace strut
{
/// Vertices of an element relative to its first, `X[d][v]`.
void shape_of(const ElementMesh &mesh, std::size_t e, double (&X)[3][8]);

/// Where a mesh is not one of copies of its element 0, moved: an element, and its first vertex that is
/// elsewhere. Both 0 if there is none.
struct UnequalElement
{
  std::size_t element = 0;
  int vertex          = 0;
};

/// The first element of another size, shape or orientation than element 0, by more than 1e-10 of its
/// size.
UnequalElement find_unequal_element(const ElementMesh &mesh);

/// Whether there is none, which a mesh of different elements tells sooner than where the first one is; false if there are no
/// elements.
bool are_equal_elements(const ElementMesh &mesh);

/// Whether all elements are copies of element 0, moved and scaled, to 1e-10 of their size; false if there are none.
bool are_similar_elements(const ElementMesh &mesh);

/// How many times larger each element is than element 0, if all are copies of it, moved and scaled, to 1e-10 of their
/// size: a mesh of cubes, refined here and there, is one. The stiffness matrix is as many times larger. Empty if all
/// have the same size; nothing if they are no such copies, or there are none.
std::optional<std::vector<double>> sizes_of_similar_elements(const ElementMesh &mesh);
} // namespace strut
