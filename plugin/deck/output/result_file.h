// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// A design as a result has it: what ResultWriter wrote, on one rank. Fields are in single precision, as in the file.
struct ResultFile
{
  ElementMesh mesh;              ///< coordinates, connectivity, flags, volumes
  std::vector<double> densities; ///< `[n_elements]`
  /// How far densities of a result with these alone are from those of the run, at most; else 0.
  double rounding = 0.;
};

/// Read a `.vtu` of ResultWriter, or any with the cell data `density` that has the same encoding: hexahedra, arrays appended
/// raw in blocks of zlib. Without `design_flag` all elements are design. Throws Error with the file, and what it lacks.
ResultFile read_result(const std::string &file_name, int n_threads);
} // namespace strut::plugin
