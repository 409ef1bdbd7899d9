// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace strut::plugin
{
/// What a mesh file holds, found before deal.II reads it: readers of mesh files give up at the first
/// cell that they do not know, and people need to hear what kind of mesh they have.
struct MeshFileContents
{
  enum class Format
  {
    unknown,
    msh,
    abaqus,
    ucd,
    vtk
  };

  /// Cells of one kind, for example "tetrahedra".
  struct Cells
  {
    std::size_t count         = 0;
    unsigned int dim          = 0;
    bool is_linear_hexahedron = false;
  };

  Format format = Format::unknown;
  std::map<std::string, Cells> cells;
  /// What makes the file unreadable, for example that it is binary; empty if nothing was found.
  std::string objection;

  /// Look at the text of a file.
  ///
  /// @param format  the format it is said to have; unknown: find out
  static MeshFileContents inspect(const std::string &text, const Format format);

  /// "12 tetrahedra, 3 wedges": the cells of a dimension, linear hexahedra left out.
  std::string list_others(const unsigned int dim) const;

  /// Linear ones.
  std::size_t n_hexahedra() const;
  std::size_t n_tetrahedra() const;

  /// All of a dimension.
  std::size_t n_cells(const unsigned int dim) const;
};

/// The text of a file, without what only the readers of deal.II object to: the version in the first
/// line of VTK, and elements of surfaces in Abaqus, which they take for hexahedra.
std::string text_for_reader(const std::string &text, const MeshFileContents::Format format);

/// The name of a format in a deck.
std::string to_string(const MeshFileContents::Format format);
} // namespace strut::plugin
