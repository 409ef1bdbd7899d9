// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// The mass matrix of trilinear elements.
enum class MassKind
{
  consistent, ///< integrals of the shape functions of the displacements, by 2x2x2 Gauss points
  lumped      ///< diagonal with the row sums of the consistent matrix
};
} // namespace strut
