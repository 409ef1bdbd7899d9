// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

namespace strut::cpu
{
/// The matrix of one element, in double.
using ElementMatrix = double[24][24];

/// Computes K = E K0 of an element with vertices X.
void stiffness(const double (&X)[3][8], const Material &material, double E, ElementMatrix &K);

/// Zeros the rows and columns of the DoFs `3 * vertex + component` whose bit is set.
void hold(unsigned int dofs, ElementMatrix &K);

/// Computes K = P^T K P for the child at this octant.
void restrict_to_parent(int octant, ElementMatrix &K);

/// Rounds the matrix for storage in float. Off-diagonal blocks are rounded to one grid of the
/// element. Diagonal blocks are rounded to that grid such that the sums of rows stay the same: zero
/// for a free element.
void round_to_float(ElementMatrix &K);
} // namespace strut::cpu
