// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "plugin/output/surface.h"

namespace strut::plugin
{
/// Write the triangles of all ranks as one binary STL file, rank by rank, beside its name and renamed. Triangles of
/// which two vertices are at the same place in single precision are left out: their neighbours then meet. Collective; if
/// the file cannot be written, every rank throws the same Error.
void write_stl(MPI_Comm communicator, const std::string &file_name, const Surface &surface);

/// Volumes of design elements.
struct SurfaceVolumes
{
  double design   = 0.; ///< volume times density
  double enclosed = 0.; ///< by the surface
};

/// Write the closed surface of a design: of its nodal densities, at the level that encloses the volume of the design.
/// Collective; throws as write_stl().
/// @param densities  `[n_elements]`
SurfaceVolumes write_surface(MPI_Comm communicator,
                             const ElementMesh &mesh,
                             const std::vector<double> &densities,
                             const std::string &file_name,
                             unsigned int n_threads);
} // namespace strut::plugin
