// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include "plugin/deck/output/surface.h"
#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Joins the surfaces of all ranks on the root, where vertices with the same key become one. Other
/// ranks get nothing. Collective.
CutSurface whole_surface(MPI_Comm communicator, const Surface &surface);
} // namespace strut
