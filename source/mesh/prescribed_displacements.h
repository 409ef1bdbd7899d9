// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>

namespace strut
{
/// Returns whether this rank has prescribed displacements that are not zero, by DoFs or by rows.
inline bool prescribes_displacements(const ElementMesh &mesh)
{
  const auto is_any = [](const std::vector<double> &values) {
    return std::any_of(values.begin(), values.end(), [](const double u) { return u != 0.; });
  };
  return is_any(mesh.constrained_values) || is_any(mesh.dependent.values);
}
} // namespace strut
