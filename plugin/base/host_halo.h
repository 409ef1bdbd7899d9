// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <vector>

#include "source/parallel/halo_border.h"

namespace strut::plugin
{
/// Set the values of the ghosts to those of their owners. Collective.
/// @param values  `[n * n_nodes]` on the host, those of a node together
void update_ghosts(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values);

/// Add the values of the ghosts to those of their owners; the ghosts keep theirs. Collective.
void add_to_owners(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values);

/// The same, for the values of the nodes of a border alone.
/// @param values  `[border.entities.size()][n]`
void update_ghosts(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values);
void add_to_owners(MPI_Comm communicator, const HaloBorder &border, std::vector<double> &values);
} // namespace strut::plugin
