// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include "plugin/deck/output/surface.h"
#include "source/surface/triangle_mesh.h"

namespace strut::plugin
{
/// The surface of all ranks on the root, where those of one key become one vertex; nothing on the others. Collective.
CutSurface whole_surface(MPI_Comm communicator, const Surface &surface);
} // namespace strut::plugin
