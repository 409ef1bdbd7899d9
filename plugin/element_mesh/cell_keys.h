// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// A number of each element's cell that every partition of a mesh gives it: the coarse cell, then
/// the child taken on each level.
///
/// deal.II's global active cell index will not do: it counts rank by rank, and p4est deals the cells
/// out in another order than deal.II's iterators run through them.
///
/// @throws Error if the mesh has too many coarse cells and refinements for 61 bits
std::vector<std::uint64_t> cell_keys(const dealii::DoFHandler<3, 3> &dof_handler,
                                     const ElementMesh &mesh);
} // namespace strut::plugin
