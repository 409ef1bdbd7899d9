// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// A plane of mirror symmetry, `x_normal = value`: the body continues behind it as the mirror image
/// of the mesh. The mesh is on one side of it.
struct SymmetryPlane
{
  unsigned int normal = 0; ///< 0, 1, 2: x, y, z
  double value        = 0; ///< length units of the mesh
};
} // namespace strut
