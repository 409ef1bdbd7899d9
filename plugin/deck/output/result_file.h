// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <string>
#include <vector>

namespace strut
{
/// A design from a result of ResultWriter, on one rank. Fields have single precision, as in the
/// file.
struct ResultFile
{
  ElementMesh mesh;              ///< coordinates, connectivity, flags, volumes
  std::vector<double> densities; ///< `[n_elements]`

  /// Largest difference from the densities of the run; 0 except for results with densities only.
  double rounding = 0.;
};

/// Reads a `.vtu` of ResultWriter. Other files with the cell data `density` and the same encoding
/// can be read, too: cells of one type, arrays appended raw in blocks of zlib. Without
/// `design_flag`, all elements are design elements. Throws Error that names the file and the
/// missing data.
ResultFile read_result(const std::string &file_name, int n_threads);
} // namespace strut
