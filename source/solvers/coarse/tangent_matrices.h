// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/tangent_elements.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <vector>

namespace strut
{
class Memory;

/// The components of one tangent of each element on the host, `[21][n_elements]`.
using HostTangents = std::array<std::vector<double>, n_tangent_components>;

/// Copies tangents to the host.
/// @param fields  called for point 0 alone
HostTangents host_tangents(Memory &memory, std::size_t n_elements, const TangentFields &fields);

ElasticityMatrix tangent_of(const HostTangents &tangents, std::size_t element);

/// Returns element matrices with these tangents: `[n_elements][300]`, upper triangles by columns.
template <typename Number>
std::vector<Number> packed_tangent_matrices(const ElementMesh &mesh, const HostTangents &tangents);
} // namespace strut
