// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// A plane behind which the body goes on as the mirror image of the mesh: `x_normal = value`. The mesh is on one
/// side of it.
struct SymmetryPlane
{
  unsigned int normal = 0; ///< 0, 1, 2: x, y, z
  double value        = 0; ///< length units of the mesh
};
} // namespace strut
