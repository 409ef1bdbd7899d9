// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <vector>

#include "source/parallel/halo_border.h"

namespace strut
{
/// Sets the values of the ghosts to those of their owners. Collective.
/// @param values  `[n * n_nodes]` on the host, the n values of a node together
void update_ghosts(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values);

/// Adds the values of the ghosts to those of their owners; the ghosts keep theirs. Collective.
void add_to_owners(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values);

/// Overloads for values at the nodes of a border only.
/// @param values  `[border.entities.size()][n]`
void update_ghosts(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values);
void add_to_owners(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values);
} // namespace strut
