// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <string>

#include "plugin/deck/output/vtu_file.h"

namespace strut::plugin
{
/// How the places of a mesh fare in files with single precision. Far from the origin it keeps too few digits of them.
struct SinglePrecision
{
  /// It moves no node by more than a ten thousandth of the shortest edge.
  bool suffices = true;
  /// Where files that have no other precision begin to count; not zero where that keeps digits which they would lose.
  std::array<double, 3> origin{};

  /// The same on all ranks. Collective.
  static SinglePrecision of(const Communicator &communicator, const ElementMesh &mesh);

  bool has_origin() const
  {
    return origin != std::array<double, 3>{};
  }
  /// "x y z" of the origin, all digits of it.
  std::string origin_text() const;
};

/// A line for the log: where STL files have their origin.
std::string note_on_origin(const SinglePrecision &precision);

/// The points of a VTU file, in doubles where single precision does not suffice. @param value  of a component, as in
/// make_vtu_array()
template <typename Value>
VtuArray
make_vtu_points(const SinglePrecision &precision, const std::size_t n_points, const Value &value)
{
  return precision.suffices ? make_vtu_array<float>("Points", 3, n_points, value)
                            : make_vtu_array<double>("Points", 3, n_points, value);
}
} // namespace strut::plugin
