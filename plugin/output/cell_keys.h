// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// A number of each owned node that every partition gives it: 8 times the least key of the cells
/// around it, plus which vertex of that cell it is. Collective.
/// @param cell_keys  of the elements, see plugin/include/strut/plugin/deck_mesh.h
std::vector<std::uint64_t> node_keys(MPI_Comm communicator,
                                     const ElementMesh &mesh,
                                     const std::vector<std::uint64_t> &cell_keys);
} // namespace strut::plugin
