// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/stiffness.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
class Memory;

/// The numbers of a law on the host, with one point for each element: `[n_components][n_elements]`.
struct HostStiffness
{
  Law law;
  std::vector<std::vector<double>> components;
};

/// Copies a stiffness with one point for each element to the host.
HostStiffness host_stiffness(Memory &memory, std::size_t n_elements, const Stiffness &stiffness);

/// Returns element_matrix() of all elements: `[n_elements][300]`, upper triangles by columns.
template <typename Number>
std::vector<Number>
packed_matrices(const ElementMesh &mesh, const Material &material, const HostStiffness &stiffness);
} // namespace strut
