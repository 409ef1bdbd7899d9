// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// The NOTE of a load case whose forces act on elements that only void regions connect to what holds them, or
/// nothing: a search from element to element through common faces, without a solve. For each direction apart, since a
/// plane of symmetry holds one alone. Forces on nodes of void elements alone are left to VoidNodes. Collective.
std::vector<std::string> notes_on_parted_loads(const ElementMesh &mesh,
                                               const std::vector<LoadCase> &load_cases,
                                               MPI_Comm communicator);
} // namespace strut::plugin
