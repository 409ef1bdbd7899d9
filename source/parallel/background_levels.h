// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <vector>

namespace strut
{
/// The spacing of the first background cells, in elements.
constexpr double background_spacing = 2.;

/// Levels behind a mesh that was refined from no coarser one: cells of a regular grid
/// (source/mesh/background_cells.h), doubled until the grid has one place. The same for any number of threads, and of
/// ranks, but for the order of cells and nodes.
///
/// Each rank puts cells behind its own elements. All gather these cells, about an eighth as many as elements, and unite
/// those that are one (united_cells.h). Then each rank puts the coarser levels behind them by itself, without another
/// word, and keeps its own cells and those that its elements touch. So while the levels are made each of several ranks
/// needs about 30 to 50 bytes of host memory per element of the whole mesh.
///
/// None for a mesh without elements; and on several ranks for one of some 10^9, whose cells MPI cannot gather.
/// Collective.
/// @param volumes  of the elements of the mesh
MeshHierarchy background_levels(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &volumes,
                                int n_threads,
                                double spacing = background_spacing);
} // namespace strut
