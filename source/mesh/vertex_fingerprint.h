// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstdint>

namespace strut
{
/// Distinguishes the nodes and elements of meshes: the number of elements, and sums over the words
/// of coordinates and connectivity, 64 bits each. Meshes that differ in one word have different
/// fingerprints. Others do up to a probability of about 2^-64.
using VertexFingerprint = std::array<std::uint64_t, 3>;

VertexFingerprint vertex_fingerprint(const ElementMesh &mesh);
} // namespace strut
