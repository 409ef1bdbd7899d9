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
/// coordinates, constrained DoFs.
struct GatheredElement
{
  double nodes[8];
  double X[3][8];
  double constrained[24]; ///< 1 or 0

  std::uint32_t dof(const std::size_t i) const
  {
    return 3 * static_cast<std::uint32_t>(nodes[i / 3]) + static_cast<std::uint32_t>(i % 3);
  }
};
static_assert(sizeof(GatheredElement) == 56 * sizeof(double), "sent as numbers");

/// Returns the elements of all ranks, rank by rank. Collective.
std::vector<GatheredElement>
gather_elements(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);
} // namespace strut
