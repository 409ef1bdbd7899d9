// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut::cuda
{
/// Elements begin <= s < end in the order of storage, all of one colour: they share no node.
struct ColourRange
{
  std::size_t begin, end;
};

/// The elements in the order in which a coloured operator stores and processes them. The order
/// keeps the cost of memory, and of the ends of many short launches, small.
///
/// The curve through the elements is cut into parts that share no node. Parts are processed at the
/// same time, colour by colour. While one part waits for the last elements of a colour, the others
/// work. The remaining elements, on a cut, follow after all parts.
///
/// Within a part, all colours of one section of the curve precede the next section. A section is so
/// short that its entries of the vectors stay in the cache from colour to colour.
struct ColouredStorage
{
  /// Mark in the connectivity: no element before this one, in the order of the launches, has the
  /// node. The first element overwrites, so the result need not be set to zero before.
  static constexpr LocalIndex first_at_node = LocalIndex(1) << 31;

  std::vector<LocalIndex> elements; ///< numbers in the mesh, `[n_elements]`
  /// Parts run at the same time; the ranges of a part in this order.
  std::vector<std::vector<ColourRange>> parts;
  std::vector<ColourRange> cut; ///< ranges after all parts, in this order

  /// Order the elements of a mesh.
  /// @param section_bytes  largest size of the vectors of a section, over all parts
  /// @param bytes_per_node  size of the vectors for each node
  ColouredStorage(const ElementMesh &mesh,
                  std::size_t n_parts,
                  std::size_t section_bytes,
                  std::size_t bytes_per_node);

  /// Nodes of the elements, `[n_elements][8]`, with first_at_node where it applies.
  std::vector<LocalIndex> connectivity(const ElementMesh &mesh) const;
};
} // namespace strut::cuda
