// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "source/surface/part.h"

namespace strut
{
struct PartRequest
{
  std::vector<std::string> formats = {}; ///< names in part_formats()
  std::string base_name;                 ///< path of the files without extension
  std::string unit = "millimeter";       ///< name in part_units()
  /// Level of the densities; none: the one that encloses the volume of the design.
  std::optional<double> level = {};
  PartSettings settings       = {};
  /// Names of solid regions, with their elements on this rank; empty: they have no names.
  std::vector<std::pair<std::string, std::vector<LocalIndex>>> regions = {};
};

/// Thrown on all ranks for a design in which no density is large enough for a part.
class NothingToExport : public Error
{
public:
  using Error::Error;
};

/// Makes the part of a design, at the level of the nodal densities that encloses its volume: see
/// surface.h. Bodies with solid elements stay. Collective.
/// @param densities  `[n_elements]`
/// @return the part on the root, an empty one on other ranks
Part part_of_design(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const PartRequest &request,
                    unsigned int n_threads);

/// A file of a part, with the facts that a program reading it will find.
struct WrittenPart
{
  std::string file;
  bool is_closed = false; ///< whether the surface is closed in the numbers of the file
  std::string text;       ///< "closed, 34 x 20 x 10 mm in a slicer"
};

/// Writes one file per format, with a temporary name until it is complete. Only for the root.
std::vector<WrittenPart> write_part(const Part &part, const PartRequest &request, int n_threads);

/// Warnings about a part and its files.
std::vector<std::string> warnings_of(const Part &part, const std::vector<WrittenPart> &files = {});

/// Description of a part and its files, line by line.
std::string
describe_part(const Part &part, const std::vector<WrittenPart> &files, const std::string &unit);
} // namespace strut
