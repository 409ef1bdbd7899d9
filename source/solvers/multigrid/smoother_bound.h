// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

namespace strut
{
/// An upper bound of the largest eigenvalue of B K, K the stiffness and B the inverse of its 3x3 nodal
/// blocks, for any stiffness factors and supports: the largest eigenvalue of the same pencil of one
/// element,
///
///     x^T K x = sum_e E_e x_e^T K0_e x_e <= max_e lambda_e  sum_e E_e x_e^T D_e x_e,
///
/// D_e the nodal blocks of K0_e (Wathen 1987). By the method of Lanczos (source/element/lanczos.h), with
/// 1 % on top; on the host.
/// Of this rank's elements; 0 if it has none.
double smoother_bound(const ElementMesh &mesh, const Material &material, int n_threads = 1);

/// The same on the backend.
double smoother_bound(Backend &backend, const ElementMesh &mesh, const Material &material);
} // namespace strut
