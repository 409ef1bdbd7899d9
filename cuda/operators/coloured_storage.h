// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut::cuda
{
/// Elements begin <= s < end in the order of storage, of one colour: they share no node.
struct ColourRange
{
  std::size_t begin, end;
};

/// The elements in the order in which a coloured operator stores and takes them, so that neither
/// the memory nor the ends of its many short launches cost much.
///
/// The curve through the elements is cut into parts that share no node, to be done at the same
/// time, colour by colour each: while one part waits for the last elements of a colour, the others
/// work. The rest, the elements on a cut, comes after all of them. Within a part, all colours of
/// one section of the curve come before the next section: a section is so short that what it needs
/// of the vectors stays in the cache from colour to colour.
struct ColouredStorage
{
  /// In the connectivity: no element before this one, in the order of the launches, has the node.
  /// Who comes first overwrites, so that nobody has to zero the result before.
  static constexpr LocalIndex first_at_node = LocalIndex(1) << 31;

  std::vector<LocalIndex> elements;            ///< their numbers in the mesh, `[n_elements]`
  std::vector<std::vector<ColourRange>> parts; ///< at the same time; ranges of a part in this order
  std::vector<ColourRange> cut;                ///< after all parts, in this order

  /// @param section_bytes  of vectors that a section may have, over all parts
  /// @param bytes_per_node  of vectors, for each node
  ColouredStorage(const ElementMesh &mesh,
                  std::size_t n_parts,
                  std::size_t section_bytes,
                  std::size_t bytes_per_node);

  /// `[n_elements][8]`: node, with first_at_node where it applies.
  std::vector<LocalIndex> connectivity(const ElementMesh &mesh) const;
};
} // namespace strut::cuda
