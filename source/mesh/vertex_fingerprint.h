// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstdint>

namespace strut
{
/// Tells the nodes and elements of a mesh from those of another one: the number of elements, and sums over the words of coordinates
/// and connectivity, 64 bits each. Two meshes that differ in one word differ here, and others but for a chance of 2^-64 or so.
using VertexFingerprint = std::array<std::uint64_t, 3>;

VertexFingerprint vertex_fingerprint(const ElementMesh &mesh);
} // namespace strut
