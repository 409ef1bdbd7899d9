// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "source/surface/part.h"

namespace strut::plugin
{
struct PartRequest
{
  std::vector<std::string> formats = {}; ///< in part_formats()
  std::string base_name;                 ///< of the files, with their folder, before the ending
  std::string unit = "millimeter";       ///< in part_units()
  std::optional<double> level =
    {}; ///< of the densities; else the one that encloses the volume of the design
  PartSettings settings = {};
};

/// The design as a part: at the level of the nodal densities that encloses its volume, see surface.h. Collective.
/// @param densities  `[n_elements]` @param level  for PartRequest::level
/// @return the part on the root, an empty one elsewhere
Part part_of_design(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const PartRequest &request,
                    unsigned int n_threads);

/// One file per format, written beside its name and renamed. On the root alone. @return their names
std::vector<std::string> write_part(const Part &part, const PartRequest &request);

/// What may be wrong with a part.
std::vector<std::string> warnings_of(const Part &part);

/// What there is to say about a part, line by line.
std::string describe_part(const Part &part, const std::string &unit);
} // namespace strut::plugin
