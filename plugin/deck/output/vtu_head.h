// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/deck/output/vtu_file.h"

namespace strut::plugin
{
/// The XML of a VTU file before its data, with room for the places where the arrays begin.
class VtuHead
{
public:
  /// @param mesh_arrays  points, connectivity, and the others of the cells
  VtuHead(const VtuContents &contents, const std::vector<VtuArray> &mesh_arrays);

  std::uint64_t size() const
  {
    return text_.size();
  }

  /// The text with the offsets of the arrays: of those of the mesh, of the points, of the cells.
  std::string with_offsets(const std::vector<std::uint64_t> &offsets) const;

private:
  std::string text_;
  std::vector<std::uint64_t> places_; ///< of the offsets
};
} // namespace strut::plugin
