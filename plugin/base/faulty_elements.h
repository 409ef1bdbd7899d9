// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace strut
{
/// Faulty hexahedra, and the other elements of their mesh, for a page that shows them.
struct FaultyElements
{
  /// Coordinates of the vertices, ordered along x, then y, then z.
  using Vertices = std::array<std::array<double, 3>, 8>;

  /// The vertices around each face, counter-clockwise as seen from outside.
  static constexpr std::array<std::array<unsigned int, 4>, 6> around_faces = {{{{0, 4, 6, 2}},
                                                                               {{1, 3, 7, 5}},
                                                                               {{0, 1, 5, 4}},
                                                                               {{2, 6, 7, 3}},
                                                                               {{0, 2, 3, 1}},
                                                                               {{4, 5, 7, 6}}}};

  /// Larger meshes get no page.
  static constexpr std::size_t most_elements = 500'000;

  std::vector<Vertices> faulty, others;
};

/// An EntryError with faulty elements, which are drawn where the output directory is known.
class EntryErrorAt : public EntryError
{
public:
  /// @param the_place  elements of all ranks, on rank 0; may be null
  EntryErrorAt(std::vector<std::string> the_path,
               std::string the_entry,
               const std::string &text,
               std::shared_ptr<const FaultyElements> the_place)
    : EntryError(std::move(the_path), std::move(the_entry), text), place(std::move(the_place))
  {}

  std::shared_ptr<const FaultyElements> place;
};
} // namespace strut
