// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <string>

#include "plugin/deck/output/vtu_file.h"

namespace strut
{
/// Accuracy of the points of a mesh in files with single precision, which loses digits far from the
/// origin.
struct SinglePrecision
{
  /// Whether no node moves by more than a ten-thousandth of the shortest edge.
  bool suffices = true;
  /// Origin of coordinates in files that only have single precision. It is not zero if that
  /// preserves digits.
  std::array<double, 3> origin{};

  /// Computes the same result on all ranks. Collective.
  static SinglePrecision of(const Communicator &communicator, const ElementMesh &mesh);

  bool has_origin() const
  {
    return origin != std::array<double, 3>{};
  }
  /// Returns "x y z" of the origin with all digits.
  std::string origin_text() const;
};

/// A line for the log on the origin of STL files.
std::string note_on_origin(const SinglePrecision &precision);

/// The points of a VTU file, in doubles if single precision does not suffice.
/// @param value  function of a component, as in make_vtu_array()
template <typename Value>
VtuArray
make_vtu_points(const SinglePrecision &precision, const std::size_t n_points, const Value &value)
{
  return precision.suffices ? make_vtu_array<float>("Points", 3, n_points, value)
                            : make_vtu_array<double>("Points", 3, n_points, value);
}
} // namespace strut
