// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strut::plugin
{
/// A type of cells, and what it is called in each format of mesh files.
struct CellType
{
  const char *kind; ///< in the plural, as people say it; types of one kind are counted together
  unsigned int dim;
  std::size_t n_nodes; ///< 0: not known
  int gmsh, vtk;       ///< its numbers; 0: none
  const char *ucd;     ///< its name, in upper case
  const char *abaqus;  ///< what its names begin with, in upper case

  /// Whether strut has a use for it: linear hexahedra, tetrahedra and faces of these.
  bool is_useful() const
  {
    return dim >= 2 && (n_nodes == 8 ? dim == 3 : n_nodes == 3 || n_nodes == 4);
  }
};

// The type of a number or name, or null. Names are in upper case.
const CellType *type_of_gmsh(long number);
const CellType *type_of_vtk(long number);
const CellType *type_of_ucd(const std::string &name);
const CellType *type_of_abaqus(const std::string &name);
} // namespace strut::plugin
