// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstdint>

namespace strut
{
/// What tells the nodes and elements of a mesh from those of another one, but for one case in 2^64: the number of elements, and
/// sums over the bytes of coordinates and connectivity.
using VertexFingerprint = std::array<std::uint64_t, 3>;

VertexFingerprint vertex_fingerprint(const ElementMesh &mesh);
} // namespace strut
