// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/background_cells.h"

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <vector>

namespace strut
{
/// Background levels of a mesh without coarser levels from refinement: cells of a regular grid
/// (source/mesh/background_cells.h), doubled along each axis with more than one place, until the
/// grid has one place. A cell that sticks out of a plate would be too stiff where the plate bends,
/// and too soft for other strains. The levels are the same for any number of threads. Their order
/// of cells and nodes depends on the number of ranks.
///
/// Each rank makes cells that cover its own elements. All ranks gather these cells, about an eighth
/// as many as elements, and unite cells that belong together (united_cells.h). Then each rank makes
/// the coarser levels without communication, and keeps its own cells and those that its elements
/// touch. While the levels are made, each of several ranks needs about 30 to 50 bytes of host
/// memory per element of the whole mesh.
///
/// There are no levels for a mesh without elements. On several ranks there are none for a mesh of
/// some 10^9 elements, whose cells MPI cannot gather. Collective.
///
/// @param volumes  volumes of the elements of the mesh
MeshHierarchy background_levels(const Communicator &communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &volumes,
                                int n_threads,
                                const GridSpacing &spacing = {});
} // namespace strut
