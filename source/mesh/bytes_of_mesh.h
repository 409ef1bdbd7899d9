// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// Bytes of the arrays of a mesh and of a transfer on the host.
template <typename T>
std::size_t bytes_of(const std::vector<T> &values)
{
  return values.capacity() * sizeof(T);
}
std::size_t bytes_of(const HaloPattern &pattern);
std::size_t bytes_of(const ElementMesh &mesh);
std::size_t bytes_of(const LevelTransfer &transfer);
} // namespace strut
