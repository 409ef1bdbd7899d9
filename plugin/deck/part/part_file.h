// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/surface/axis_box.h"

namespace strut
{
/// A file format for parts.
struct PartFormat
{
  std::string name; ///< name and extension of its files: "stl"
  std::string description;
  /// Returns the bytes of a file. @param unit  unit of length, one of part_units()
  /// @param name  name of the part, in printable ASCII
  std::string (*bytes)(const TriangleMesh &mesh, const std::string &name, const std::string &unit);
  /// Returns a mesh with the numbers that the file of a part contains.
  /// @param origin  origin of files with single precision
  TriangleMesh (*numbers)(const TriangleMesh &part, const Point &origin, const std::string &unit);
  /// Millimeters per length of the deck, in the interpretation of programs that print the part.
  double (*in_millimeters)(const std::string &unit);
  bool is_single = false; ///< whether its numbers have single precision
};

/// A ZIP archive in memory (PKWARE's APPNOTE 6.3, without ZIP64). Members are deflated, or stored
/// if that is not longer. Equal members make equal bytes, as their time is always 1 January 1980.
class ZipArchive
{
public:
  /// Adds a member. Throws Error if the archive would exceed the 4 GB of its format. @param name
  /// UTF-8, with '/' between folders
  void add(const std::string &name, std::string_view contents);

  /// The complete archive, after the last member.
  std::string bytes() const;

private:
  std::string members_;
  std::string directory_;
  std::uint16_t n_members_ = 0;
};

/// A text on one line, with '?' for characters that a format may not support.
std::string printable(std::string text);

const std::vector<PartFormat> &part_formats();

/// Returns the format with this name. Throws Error that lists all names.
const PartFormat &find_part_format(const std::string &name);

/// The units of length of 3MF.
std::vector<std::string> part_units();

/// The box around a part; of size 0 if that is empty.
AxisBox box_of(const TriangleMesh &mesh);

/// Millimeters of one of these units.
double millimeters_of(const std::string &unit);
} // namespace strut
