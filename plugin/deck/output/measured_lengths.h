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
/// The smallest member and the smallest gap of a design that is solid where its density is a half at least: wall_thickness() of
/// the surface of its nodal densities at that level, inside and outside, with MeasuredLengths' exceptions. Where a density
/// is exactly a half at nodes, as around a member or a gap of one element, these belong to the member, and for the gap
/// to that. A wall or gap of one element is seen; the resolution is about half an element. On the root; nothing on other ranks.
/// Collective.
/// @param densities  `[n_elements]`
MeasuredLengths measure_lengths(MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<double> &densities,
                                unsigned int n_threads);

/// A sentence for the log; empty if nothing was measured.
std::string describe_lengths(const MeasuredLengths &lengths);
void write_lengths(Json &json, const MeasuredLengths &lengths);
} // namespace strut::plugin
