// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/mesh_file_contents.h"

namespace strut::plugin
{
void MeshFileContents::count(const CellType *const type,
                             const std::string &name,
                             const std::size_t line,
                             const std::string &as)
{
  Cells &kind = cells[type != nullptr ? type->kind : "cells of the unknown type " + name];
  kind.dim    = type != nullptr ? type->dim : 3;
  if (kind.count++ == 0 && line > 0)
    kind.first = (as.empty() ? "line " : as + " in line ") + std::to_string(line);
}

std::string MeshFileContents::list_others(const unsigned int dim) const
{
  std::string list;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim && name != "hexahedra")
      list += (list.empty() ? "" : ", ") + std::to_string(kind.count) + " " + name +
              (kind.first.empty() ? "" : " (first: " + kind.first + ")");
  return list;
}

std::size_t MeshFileContents::n_of(const std::string &kind) const
{
  const auto found = cells.find(kind);
  return found == cells.end() ? 0 : found->second.count;
}

std::size_t MeshFileContents::n_cells(const unsigned int dim) const
{
  std::size_t n = 0;
  for (const auto &[name, kind] : cells)
    if (kind.dim == dim)
      n += kind.count;
  return n;
}
} // namespace strut::plugin
