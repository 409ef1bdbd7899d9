// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "plugin/mesh/cell_types.h"

namespace strut::plugin
{
/// What kinds of cells a mesh file has, those that strut does not take among them: people need to hear
/// what kind of mesh they have.
struct MeshFileContents
{
  struct Cells
  {
    std::size_t count = 0;
    unsigned int dim  = 0;
    std::string first; ///< where and as what the file has the first of them: "C3D10 in line 12"
  };

  std::map<std::string, Cells> cells; ///< by kind, for example "tetrahedra"

  /// Count a cell. @param type  null: unknown @param name  of the type in the file
  /// @param line  of the file; 0: the message does not say it @param as  what the line calls the type
  void count(const CellType *type,
             const std::string &name,
             std::size_t line      = 0,
             const std::string &as = {});

  /// "12 tetrahedra, 3 wedges": the cells of a dimension, linear hexahedra left out.
  std::string list_others(unsigned int dim) const;

  /// Cells of a kind.
  std::size_t n_of(const std::string &kind) const;

  /// All of a dimension.
  std::size_t n_cells(unsigned int dim) const;
};
} // namespace strut::plugin
