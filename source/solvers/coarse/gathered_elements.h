// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
class Backend;

/// The data of an element that each rank sends to the others: global numbers of the nodes,
/// coordinates, constrained components.
struct GatheredElement
{
  double nodes[8];
  double X[3][8];
  double constrained[8]; ///< bit c is set if component c of the vertex is constrained

  bool is_constrained(const std::size_t vertex, const std::size_t component) const
  {
    return (static_cast<std::uint32_t>(constrained[vertex]) >> component & 1u) != 0;
  }
};
static_assert(sizeof(GatheredElement) == 40 * sizeof(double), "sent as numbers");

/// Returns the elements of all ranks, rank by rank. Collective.
std::vector<GatheredElement>
gather_elements(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);
} // namespace strut
