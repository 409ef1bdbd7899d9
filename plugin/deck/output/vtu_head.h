// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/deck/output/vtu_file.h"

namespace strut
{
/// The XML of a VTU file before its data, with space for the offsets of the arrays.
class VtuHead
{
public:
  /// @param mesh_arrays  points, connectivity, and the other arrays of the cells
  VtuHead(const VtuContents &contents, const std::vector<VtuArray> &mesh_arrays);

  std::uint64_t size() const
  {
    return text_.size();
  }

  /// The text with the offsets of the arrays, in the order: mesh, points, cells.
  std::string with_offsets(const std::vector<std::uint64_t> &offsets) const;

private:
  std::string text_;
  std::vector<std::uint64_t> places_; ///< positions of the offsets
};
} // namespace strut
