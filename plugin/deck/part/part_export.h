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
  /// Solid regions by their names, with their elements on this rank; empty: they have no names.
  std::vector<std::pair<std::string, std::vector<LocalIndex>>> regions = {};
};

/// A design in which nothing is dense enough to be a part. On all ranks.
class NothingToExport : public Error
{
public:
  using Error::Error;
};

/// The design as a part: at the level of the nodal densities that encloses its volume, see surface.h. Bodies with solid elements
/// stay. Collective.
/// @param densities  `[n_elements]`
/// @return the part on the root, an empty one elsewhere
Part part_of_design(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const PartRequest &request,
                    unsigned int n_threads);

/// A file of a part, and what programs that read it will see.
struct WrittenPart
{
  std::string file;
  bool is_closed = false; ///< by the numbers in the file
  std::string text;       ///< "closed, 34 x 20 x 10 mm in a slicer"
};

/// One file per format, written beside its name and renamed. On the root alone.
std::vector<WrittenPart> write_part(const Part &part, const PartRequest &request, int n_threads);

/// Warnings about a part and its files.
std::vector<std::string> warnings_of(const Part &part, const std::vector<WrittenPart> &files = {});

/// Description of a part and its files, line by line.
std::string
describe_part(const Part &part, const std::vector<WrittenPart> &files, const std::string &unit);
} // namespace strut::plugin
