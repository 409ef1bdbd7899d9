// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>

#include <vector>

namespace strut
{
/// The spacing of the first background cells, in elements.
constexpr double background_spacing = 2.;

/// Levels behind a mesh that was refined from no coarser one: cells of a regular grid
/// (background_cells.h), doubled until the grid has one place. On one rank. The same for any number of threads.
/// @param volumes  of the elements of the mesh
MeshHierarchy background_levels(const ElementMesh &mesh,
                                const std::vector<double> &volumes,
                                int n_threads,
                                double spacing = background_spacing);
} // namespace strut
