// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <vector>

#include "plugin/base/json.h"
#include "source/surface/wall_thickness.h"

#include <string>

namespace strut::plugin
{
/// The smallest and the largest member and the smallest gap of a design: measured_lengths() of the surface of its nodal densities at the
/// middle between void, the least density of a design element, and 1. A node with just that density, as at a member or a gap of one
/// element, belongs to the member for the member, and to the gap for the gap, so that both are seen; a gap
/// beside a member of one element is not. The largest member is the largest ball around a node or the centre of an element, without
/// those at the surface, where solid elements are material and void ones none. On the root; nothing on
/// other ranks. Collective.
/// @param densities  `[n_elements]`
MeasuredLengths measure_lengths(MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &densities,
                                unsigned int n_threads);

/// A sentence for the log; empty if nothing was measured.
std::string describe_lengths(const MeasuredLengths &lengths);
void write_lengths(Json &json, const MeasuredLengths &lengths);
} // namespace strut::plugin
