// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <vector>

#include "plugin/base/json.h"
#include "source/surface/wall_thickness.h"

#include <string>

namespace strut
{
/// Measures the smallest and the largest member and the smallest gap of a design. They are
/// measured_lengths() of the surface of its nodal densities. The level is halfway between void, the
/// least density of a design element, and 1.
///
/// Nodes with exactly this density occur at members and gaps of one element. They count as member
/// for members, and as gap for gaps, so that both are found. A gap beside a member of one element
/// is not found.
///
/// The largest member is the largest ball around a node or the centre of an element. For it, solid
/// elements are material and void ones are not. Only the root gets a result. Collective.
/// @param densities  `[n_elements]`
MeasuredLengths measure_lengths(MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &densities,
                                unsigned int n_threads);

/// A sentence for the log; empty if nothing was measured.
std::string describe_lengths(const MeasuredLengths &lengths);
void write_lengths(Json &json, const MeasuredLengths &lengths);
} // namespace strut
