// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/surface/triangle_mesh.h"

namespace strut::plugin
{
/// A kind of file that a part can be written to.
struct PartFormat
{
  std::string name; ///< and the ending of its files: "stl"
  std::string description;
  /// The bytes of the file. @param unit  of length, one of part_units()
  /// @param name  of the part, in printable ASCII
  std::string (*bytes)(const TriangleMesh &mesh, const std::string &name, const std::string &unit);
  /// A mesh with the numbers that the file has of a part. @param origin  of files with single precision
  TriangleMesh (*numbers)(const TriangleMesh &part, const Point &origin, const std::string &unit);
  /// Lengths of the file, as programs take them that print the part, per length of the deck.
  double (*in_millimeters)(const std::string &unit);
  bool is_single = false; ///< the precision of its numbers
};

/// A text in one line, with '?' for characters that a format may not have.
std::string printable(std::string text);

const std::vector<PartFormat> &part_formats();

/// Throws Error that lists those there are.
const PartFormat &find_part_format(const std::string &name);

/// The units of length that 3MF knows.
std::vector<std::string> part_units();

/// The millimeters of one of them.
double millimeters_of(const std::string &unit);
} // namespace strut::plugin
