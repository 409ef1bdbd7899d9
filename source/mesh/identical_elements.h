// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>

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
} // namespace strut
