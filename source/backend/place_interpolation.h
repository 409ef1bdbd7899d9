// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
/// Trilinear interpolation from a coarse mesh to nodes anywhere in its elements, in the memory of a
/// backend. A fine node takes eight weights from its place in one element. Coarse nodes find their
/// fine nodes through the elements around them. So both products gather.
template <typename Number>
struct PlaceInterpolation
{
  Array<std::uint32_t> elements;      ///< `[n_fine]`: the coarse element of each node
  Array<Number> places;               ///< `[n_fine][3]`: place in that element, 0 to 1
  Array<std::uint32_t> element_nodes; ///< `[n_elements][8]`
  Array<std::uint32_t> fine_begin;    ///< `[n_elements + 1]`
  Array<std::uint32_t> fine;          ///< the fine nodes of each coarse element, ascending
  Array<std::uint32_t> around_begin;  ///< `[n_coarse + 1]`
  Array<std::uint32_t>
    around; ///< elements around each coarse node, ascending: `8 * element + vertex`

  std::size_t n_fine   = 0; ///< nodes
  std::size_t n_coarse = 0; ///< nodes

  /// The weight of vertex v for a node at a place.
  STRUT_HOST_DEVICE static Number weight(const std::uint32_t v, const Number *const place)
  {
    Number product = Number(1);
    for (std::uint32_t d = 0; d < 3; ++d)
      product *= (v >> d & 1u) != 0 ? place[d] : Number(1) - place[d];
    return product;
  }
};
} // namespace strut
