// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut
{
/// NOTEs on load cases whose forces act on elements that only void regions, or nothing, connect to
/// supports. The search goes from element to element through common faces, without a solve.
/// Directions are searched separately, since a plane of symmetry holds only one. VoidNodes reports
/// forces on nodes that only void elements have. Collective.
std::vector<std::string> notes_on_parted_loads(const ElementMesh &mesh,
                                               const std::vector<LoadCase> &load_cases,
                                               MPI_Comm communicator);
} // namespace strut
