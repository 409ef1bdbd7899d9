// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron_geometry.h"
#include "source/element/shape_tables.h"

#include <strut/base/array.h>
#include <strut/base/memory.h>

namespace strut
{
/// The gradients of the shape functions of hex8 along the reference directions, for a thread.
struct HexahedronSlopes
{
  static constexpr int n_nodes = 8;

  STRUT_HOST_DEVICE static constexpr double at_centre(const int a, const int d)
  {
    return hexahedron::reference_gradient(a, d, 0.5, 0.5, 0.5);
  }
};

/// The gradients of the shape functions of any element along the reference directions, for a
/// thread.
struct TabulatedSlopes
{
  STRUT_HOST_DEVICE double at_centre(const int a, const int d) const
  {
    return table[3 * a + d];
  }
  STRUT_HOST_DEVICE double at_node(const int node, const int a, const int d) const
  {
    return table[3 * (n_nodes * node + a) + d];
  }

  int n_nodes;
  const double *table; ///< gradients_at_centre() or gradients_at_nodes()
};

/// Makes HexahedronSlopes, which have no table.
struct HexahedronTable
{
  using Slopes = HexahedronSlopes;

  template <typename MakeTable>
  HexahedronTable(Memory &, const ElementType &, const MakeTable &)
  {}

  static Slopes slopes()
  {
    return {};
  }
};

/// Makes TabulatedSlopes, with the table in the memory of a backend.
class NodeTable
{
public:
  using Slopes = TabulatedSlopes;

  template <typename MakeTable>
  NodeTable(Memory &memory, const ElementType &type, const MakeTable &make)
    : n_nodes_(static_cast<int>(type.n_nodes)), table_(memory, make(type))
  {}

  Slopes slopes() const
  {
    return {n_nodes_, table_.data()};
  }

private:
  int n_nodes_;
  Array<double> table_;
};
} // namespace strut
